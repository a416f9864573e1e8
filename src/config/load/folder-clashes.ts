import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../config.js";
import { isStoreAddress, storeAddressText } from "../schema/store-address.js";
import type { FileProblem, FoundSpace } from "./read-space.js";

type WritingSpace = Pick<FoundSpace, "name" | "at" | "file"> & { config: Config };

interface WrittenPath {
  space: WritingSpace;
  key: readonly [string, string];
  /** The real path in lower case, because some disks ignore case. */
  place: string;
}

/** Finds equal or nested folders of two spaces: each removes files that it no longer needs, and locks only its own. */
export async function folderClashes(spaces: readonly WritingSpace[]): Promise<FileProblem[]> {
  const places = new Map<string, Promise<string>>();
  const written = await Promise.all(
    spaces.flatMap((space) =>
      writtenPaths(space.config).map(async ([key, path]): Promise<WrittenPath> => {
        const place = isStoreAddress(path) ? path : await realPlace(path, places);
        return { space, key, place: place.normalize("NFC").toLowerCase() };
      }),
    ),
  );
  const owners = new Map<string, WrittenPath>();
  for (const one of written) if (!owners.has(one.place)) owners.set(one.place, one);
  return written.flatMap((one) => {
    const owner = ancestors(one.place)
      .map((place) => owners.get(place))
      // Two spaces with the same name are reported separately.
      .find((found) => found !== undefined && found.space.name.toLowerCase() !== one.space.name.toLowerCase());
    if (owner === undefined) return [];
    const verb = owner.place === one.place ? "is also" : "is inside";
    const { space } = one;
    return [
      {
        file: space.file,
        path: [...space.at, ...one.key],
        message: `${verb} ${owner.key.join(".")} of the space ${owner.space.name}`,
        hint: "Give each space its own folders.",
      },
    ];
  });
}

function writtenPaths({ output, content, assets, types }: Config): [WrittenPath["key"], string][] {
  const paths: [WrittenPath["key"], string | undefined][] = [
    [["output", "dir"], output.dir],
    [["output", "store"], output.store && storeAddressText(output.store)],
    [["content", "dir"], content.dir],
    [["assets", "dir"], assets.dir],
    [["types", "file"], types.file],
  ];
  return paths.flatMap(([key, path]): [WrittenPath["key"], string][] => (path === undefined ? [] : [[key, path]]));
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function realPlace(path: string, known: Map<string, Promise<string>>): Promise<string> {
  const place = known.get(path) ?? resolvePlace(path, known);
  known.set(path, place);
  return place;
}

async function resolvePlace(path: string, known: Map<string, Promise<string>>): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent, known), basename(path));
  }
}
