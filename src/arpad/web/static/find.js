// Finds people where no server is: in people.js, which is read when somebody begins to type.
"use strict";
{
  const root = new URL("..", document.currentScript.src);
  const most = 50;
  const letters = { ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "a", œ: "o", ı: "i", ħ: "h", ς: "σ" };

  // As arpad.ledger.spelling does. What is typed and the names both come through here, since no two languages of
  // programs agree on the letters and marks of every script.
  const parts = (text) =>
    text
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[ßøłđðþæœıħς]/g, (letter) => letters[letter])
      .replace(/\p{M}|['’]/gu, "")
      .replace(/([aou])e|aa/g, (_, vowel) => vowel ?? "a")
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);

  const read = () =>
    new Promise((resolve) => {
      if (window.arpadPeople) return resolve(window.arpadPeople);
      const script = document.createElement("script");
      script.src = new URL("people.js", root);
      script.onload = () => resolve(window.arpadPeople);
      document.head.append(script);
    });

  let spelled;
  const index = () => (spelled ??= read().then((people) => people.map((each) => [...each, parts(each[1]).join(" ")])));

  const line = ([person, name, ratings]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = new URL(`${document.documentElement.lang}/players/${person}.html`, root);
    link.textContent = name;
    const numbers = Object.entries(ratings).map(([list, rating]) => `${list} ${Math.round(rating * 100) / 100}`);
    item.append(link, ` ${numbers.join(", ")}`);
    return item;
  };

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.querySelector("search.find");
    const [field, none, found] = ["input", "[role=status]", "ul"].map((each) => place.querySelector(each));
    place.hidden = false;
    field.addEventListener("input", async () => {
      const people = await index();
      const wanted = parts(field.value);
      const fits = ([person, , , spelled]) =>
        String(person) === field.value.trim() || wanted.every((part) => spelled.includes(part));
      const shown = wanted.length ? people.filter(fits).slice(0, most) : [];
      found.replaceChildren(...shown.map(line));
      none.hidden = !wanted.length || shown.length > 0;
    });
  });
}
