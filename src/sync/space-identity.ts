import { OffprintError } from "../lib/errors.js";
import { type Manifest, type SpacePartRecord, spaceText } from "../snapshot/manifest.js";

/** The address of the embedded demo space. */
export const demoSource = "demo:";

/** False: it may replace it; only the demo space is replaced unasked. @throws OffprintError `SPACE_MISMATCH` */
export function isSameSpace(
  previous: Manifest | undefined,
  source: string,
  record: SpacePartRecord | undefined,
  replace: boolean,
): boolean {
  if (previous === undefined) return true;
  const wasDemo = previous.space.source === demoSource;
  const isDemo = source === demoSource;
  if (wasDemo && isDemo) return true;
  if (wasDemo) return false;
  const id = record?.me?.id ?? record?.info?.id;
  const isSame =
    !isDemo &&
    (previous.space.id !== null && id !== undefined ? previous.space.id === id : previous.space.source === source);
  if (isSame) return true;
  if (replace && !isDemo) return false;
  throw new OffprintError(
    "SPACE_MISMATCH",
    `The output folder has the snapshot of ${spaceText(previous)}; the upstream is ${isDemo ? "the demo space" : `space ${id ?? "of unknown id"} at ${source}`}.`,
    {
      hint: isDemo
        ? "The demo space never replaces another one. Set source.url and source.token to those of your space, or choose another output.dir."
        : "Check source.url and source.token, or choose another output.dir. To replace the snapshot, run `offprint sync --replace`.",
    },
  );
}
