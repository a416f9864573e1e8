// Above 20,000 stories and folders there are several files instead, listed by `links` in cms/index.json.
import links from "./cms/links.json";

// The stories of the default language, as `offprint sync` read them.
const list = document.querySelector("#stories");
for (const { name, editions } of links) {
  const edition = editions["published/default"] ?? editions["draft/default"];
  if (edition === undefined) continue;
  const item = document.createElement("li");
  item.textContent = `${name} ${edition.url}`;
  list?.append(item);
}
