// The forms of the API's page: what is asked is sent from here, and the answer shown below the form.
"use strict";

const token = document.querySelector("#token input");
token.form.addEventListener("submit", (event) => event.preventDefault()); // it is kept here, and sent with what is tried

function asked(form) {
  const headers = new Headers({ Accept: "application/json, */*;q=0.5" });
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll("input[data-place]")) {
    const { place } = input.dataset;
    if (place === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (place === "query" && input.value) query.append(input.name, input.value);
    else if (place === "header" && input.value) headers.set(input.name, input.value);
  }
  if (token.value) headers.set("Authorization", `Bearer ${token.value}`);
  const text = form.elements.body?.value;
  if (text) headers.set("Content-Type", "application/json");
  const address = query.size ? `${path}?${query}` : path;
  return new Request(address, { method: form.dataset.method, headers, body: text || undefined, credentials: "omit" });
}

async function shown(answer) {
  const told = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const form = answer.headers.get("content-type") ?? "";
  let text = form.includes("zip") ? "…" : await answer.text();
  if (form.includes("json") && !form.includes("ndjson")) text = JSON.stringify(JSON.parse(text), null, 2);
  return `${answer.status} ${answer.statusText}\n${told}\n\n${text}`;
}

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const place = form.querySelector("pre");
    place.hidden = false;
    try {
      place.textContent = await shown(await fetch(asked(form)));
    } catch (error) {
      place.textContent = String(error);
    }
  });
}

// A link to an operation or a record opens it.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", open);
open();
