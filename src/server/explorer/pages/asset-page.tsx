import { grouped, size } from "../../../lib/quantity-text.js";
import { parts } from "../../../snapshot/layout.js";
import type { AssetRecord } from "../../../snapshot/manifest.js";
import { storedRecord } from "../../../snapshot/reader/stored-story.js";
import { usersOf } from "../data/related-stories.js";
import { picturePath } from "../parts/content-context.js";
import { Facts, fieldsCell, storyCells, Table } from "../parts/lists.js";
import { page } from "../parts/page.js";
import { aboutAsset } from "./assets-page.js";

/** `/assets/<key>`: one asset and the stories that use it. */
export const assetPage = page({
  path: "assets/*",
  async load({ space, view, manifest, id }) {
    const line = await storedRecord(space.store, manifest, parts.assets, id);
    if (line === undefined) return undefined;
    const asset: AssetRecord = JSON.parse(line);
    const { users, total } = await usersOf(view, asset);
    const withoutText = users.filter(({ alts }) => alts.includes("")).length;
    return { title: asset.name || asset.url, data: { asset, total, withoutText, users } };
  },
  view: ({ title, data: { asset, total, withoutText, users } }) => {
    const picture = picturePath(asset);
    const { hash, missing, status } = asset;
    return (
      <>
        <h1 dir="auto">{title}</h1>
        {picture === undefined ? (
          <p class="quiet">
            {hash === null ? "The snapshot has not stored this file." : "This file is not a picture."}
          </p>
        ) : (
          <figure class="large">
            <img src={picture} alt={users.flatMap(({ alts }) => alts).find((alt) => alt !== "") ?? ""} />
          </figure>
        )}
        <Facts
          facts={[
            ["Address", <code>{asset.url}</code>],
            ["Type", asset.type],
            ["Size", aboutAsset(asset)],
            ["Bytes", hash === null ? "–" : `${grouped(asset.bytes)} (${size(asset.bytes)})`],
            missing !== undefined && ["Not stored", `${missing}${status === undefined ? "" : `, HTTP ${status}`}`],
          ]}
        />
        <h2>Used by</h2>
        {withoutText === 0 ? null : (
          <p class="problem">{grouped(withoutText)} of these uses have no alternative text.</p>
        )}
        {users.length === 0 ? (
          <p>No story in the snapshot uses it.</p>
        ) : (
          <Table
            caption={`${grouped(total)} uses, by story and edition${total > users.length ? `; ${users.length} shown` : ""}`}
            head={["Story", "Slug", "Edition", "Fields", "Alternative text"]}
            rows={users.map(({ edition, language, alts, ...story }) => [
              ...storyCells(story, { language, version: edition.split("/")[0] }),
              edition,
              fieldsCell(story),
              alts.length === 0 ? "–" : <span dir="auto">{alts.map((alt) => alt || "(none)").join(", ")}</span>,
            ])}
          />
        )}
      </>
    );
  },
});
