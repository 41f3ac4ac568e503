// What people expect of forms, and what neither browsers nor htmx do. Without it forms are sent as they always were.
"use strict";
{
  const main = document.querySelector("main");
  const { account, door } = main.dataset;
  const unanswered = document.querySelector("#unanswered");

  // A form that writes is sent once, however often its button is pressed, until its answer is there or was called off.
  if (window.navigation) {
    let sent = null;
    const release = () => {
      sent?.removeAttribute("aria-busy");
      sent = null;
    };
    document.addEventListener("submit", (event) => {
      if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
      if (event.submitter && "file" in event.submitter.dataset) return; // it brings a file, and the page stays
      if (sent) return event.preventDefault();
      sent = event.submitter ?? event.target;
      sent.setAttribute("aria-busy", "true");
    });
    navigation.addEventListener("navigateerror", release);
    addEventListener("pageshow", release);
  }

  // Addresses say what was asked, and nothing of what was left blank.
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    for (const [name, value] of [...ctx.request.body]) if (value === "") ctx.request.body.delete(name);
  });

  // An answer that has nothing of what was asked takes nothing away: a page elsewhere (to sign in) is gone to, and of
  // an error it is said that this was not answered.
  const told = (address) => {
    unanswered.querySelector("a").href = address;
    unanswered.hidden = false;
  };
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const { status, raw } = ctx.response;
    const blank = !tasks.some((each) => each.type === "main" && each.fragment.childElementCount);
    unanswered.hidden = true;
    if (!blank || (status < 400 && !raw.redirected)) return;
    event.preventDefault();
    if (raw.redirected) location.assign(ctx.request.action);
    else told(ctx.request.action);
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => ctx && told(ctx.request.action));

  // What was typed is there again when somebody comes back, or had to sign in meanwhile: pages for accounts are not
  // stored, and with them browsers forget it. It is kept for this tab and this account, until they sign out;
  // not what nobody else shall have, nor the words of an erasure, which shall stand nowhere.
  const secret = "[type=password], [autocomplete=one-time-code], [name=kind][value=erase]";
  const forms = () => [...document.querySelectorAll("main form")].filter((each) => !each.querySelector(secret));
  const typed = (form) => [...form.elements].filter((each) => each.name && !/^(hidden|file|submit|button)$/.test(each.type));
  const said = (field) => (/^(checkbox|radio)$/.test(field.type) ? field.checked : field.value);
  const which = (form) => {
    const fixed = form.querySelectorAll("[type=hidden]:not([name=_csrf_token], [name=head])");
    const names = [...fixed].map((each) => `${each.name} ${each.value}`).concat(typed(form).map((each) => each.name));
    return [form.action, ...names].join();
  };

  const keep = () => {
    const kept = forms().map((form) => [which(form), typed(form).map(said)]);
    if (kept.length) sessionStorage.setItem(location.href, JSON.stringify(kept)); // a refusal has the address of its form
  };
  const bring = () => {
    const kept = JSON.parse(sessionStorage.getItem(location.href) ?? "[]");
    forms().forEach((form, at) => {
      if (kept[at]?.[0] !== which(form)) return;
      typed(form).forEach((field, place) => {
        const value = kept[at][1][place];
        if (value === said(field)) return;
        field[typeof value === "boolean" ? "checked" : "value"] = value;
        for (let each = field.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
    });
  };
  if (account) {
    const came = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    if (sessionStorage.getItem("account") !== account) sessionStorage.clear();
    else if (came || sessionStorage.getItem("door")) addEventListener("load", bring);
    sessionStorage.setItem("account", account);
    sessionStorage.removeItem("door");
    addEventListener("pagehide", keep);
  } else if (!door) sessionStorage.clear();
  if (door) sessionStorage.setItem("door", "1"); // it leads back to a form: to sign in, or from a refusal
}
