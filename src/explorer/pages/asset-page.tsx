import { assetOfKey } from "../asset-list.js";
import { usersOf } from "../asset-users.js";
import { picturePath } from "../content-context.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { type Page, type PageRequest, storyAddress } from "../page.js";
import { Facts, Table } from "../parts.js";
import { byteSize, grouped } from "../text.js";
import { aboutAsset } from "./assets-page.js";

/** `/assets/<key>`: one asset, and who uses it. */
export async function makeAssetPage({ source }: ExplorerSpace, request: PageRequest): Promise<Page | undefined> {
  const view = source.view();
  const asset = await assetOfKey(view, request.path[1] ?? "");
  if (asset === undefined) return undefined;
  const { users, total } = await usersOf(view, asset);
  const picture = picturePath(asset);
  const lacking = users.filter(({ alts }) => alts.includes("")).length;
  return {
    title: asset.name || asset.url,
    section: "assets",
    data: { asset, total, withoutText: lacking, users },
    view: () => (
      <>
        <h1 dir="auto">{asset.name || asset.url}</h1>
        {picture === undefined ? (
          <p class="quiet">{asset.hash === null ? "The snapshot has no bytes of it." : "It is no picture."}</p>
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
            ["Bytes", asset.hash === null ? "–" : `${grouped(asset.bytes)} (${byteSize(asset.bytes)})`],
            ...(asset.missing === undefined
              ? []
              : ([
                  ["Not stored", `${asset.missing}${asset.status === undefined ? "" : `, HTTP ${asset.status}`}`],
                ] as const)),
          ]}
        />
        <h2>Who uses it</h2>
        {lacking === 0 ? null : <p class="problem">{grouped(lacking)} of these uses have no alternative text.</p>}
        {users.length === 0 ? (
          <p>No story that the snapshot has names it.</p>
        ) : (
          <Table
            caption={`${grouped(total)} uses, by story and edition${total > users.length ? `; ${users.length} are shown` : ""}`}
            head={["Story", "Slug", "Edition", "Fields", "Alternative text"]}
            rows={users.map(({ uuid, name, full_slug, edition, language, fields, alts }) => [
              <a href={storyAddress(uuid, { language, version: edition.split("/")[0] ?? "" })} dir="auto">
                {name || full_slug}
              </a>,
              <code dir="auto">{full_slug}</code>,
              edition,
              <span dir="auto">{fields.slice(0, 5).join(", ")}</span>,
              alts.length === 0 ? "–" : <span dir="auto">{alts.map((alt) => alt || "(none)").join(", ")}</span>,
            ])}
          />
        )}
      </>
    ),
  };
}
