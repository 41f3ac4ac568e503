// Finds people where no server is: in people.js, which is read when somebody begins to type.
"use strict";
{
  const root = new URL("..", document.currentScript.src);
  const most = 50;
  const letters = { ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "a", œ: "o", ı: "i", ħ: "h" };

  // As names are folded in the index: see arpad.ledger.spelling.
  const parts = (typed) =>
    typed
      .toLowerCase()
      .replace(/[ßøłđðþæœıħ]/g, (letter) => letters[letter])
      .normalize("NFKD")
      .replace(/\p{M}|['’]/gu, "")
      .replace(/([aou])e|aa/g, (_, vowel) => vowel ?? "a")
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);

  const index = () =>
    new Promise((resolve) => {
      if (window.arpadPeople) return resolve(window.arpadPeople);
      const script = document.createElement("script");
      script.src = new URL("people.js", root);
      script.onload = () => resolve(window.arpadPeople);
      document.head.append(script);
    });

  const line = ([person, name, , ratings]) => {
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
      const fits = ([person, , folded]) =>
        String(person) === field.value.trim() || wanted.every((part) => folded.includes(part));
      const shown = wanted.length ? people.filter(fits).slice(0, most) : [];
      found.replaceChildren(...shown.map(line));
      none.hidden = !wanted.length || shown.length > 0;
    });
  });
}
