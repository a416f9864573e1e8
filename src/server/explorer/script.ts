/** Finds stories as you type; every page works without it. The browser runs this text. */
export const script = `"use strict";
(() => {
  const again = document.querySelector("[data-again]");
  if (again) setTimeout(() => location.reload(), Number(again.dataset.again) * 1000);
  const input = document.getElementById("q");
  const list = document.getElementById("found");
  if (!input || !list) return;
  let timer = 0;
  let asked = 0;
  const close = () => { list.hidden = true; list.replaceChildren(); };
  const show = (found) => {
    list.replaceChildren(...found.map(({ href, name, full_slug }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const slug = document.createElement("small");
      link.href = href;
      link.dir = "auto";
      link.textContent = name || full_slug;
      slug.textContent = full_slug;
      link.append(" ", slug);
      item.append(link);
      return item;
    }));
    list.hidden = found.length === 0;
  };
  const ask = async () => {
    const text = input.value.trim();
    const number = ++asked;
    if (text === "") return close();
    const response = await fetch("/_explorer/search.json?q=" + encodeURIComponent(text));
    if (!response.ok || number !== asked) return;
    const { found } = await response.json();
    if (number === asked) show(found);
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => ask().catch(close), 120); });
  const links = () => [...list.querySelectorAll("a")];
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") close();
    if (list.hidden || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    const all = [input, ...links()];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length].focus();
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".search")) close(); });
})();
`;
