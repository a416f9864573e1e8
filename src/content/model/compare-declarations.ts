import type { Declarations, DeclaredMembers } from "./read-declarations.js";

/** Something that a file of types says in another way than the snapshot. */
export interface TypeDifference {
  /** `added`: the snapshot has it, and the file does not. */
  kind: "added" | "removed" | "changed";
  /** The component, or the name of a declaration that is none (`Asset`, a plugin, a datasource). */
  component: string;
  /** null: the component itself. */
  field: string | null;
  /** The type in the file, with `?` before it where the field is optional; null where the file lacks it. */
  file: string | null;
  /** The same in the snapshot. */
  snapshot: string | null;
}

/** What differs, in the order of components and fields; each field once. */
export function compareDeclarations(file: Declarations, snapshot: Declarations): TypeDifference[] {
  const found = new Map<string, TypeDifference>();
  for (const name of [...new Set([...file.keys(), ...snapshot.keys()])].sort()) {
    for (const difference of compareMembers(name, file.get(name), snapshot.get(name))) {
      const key = JSON.stringify([difference.component, difference.field]);
      if (!found.has(key)) found.set(key, difference);
    }
  }
  return [...found.values()].filter(({ field, component }) => {
    // A component that is added or removed is told once, and not by its place in the maps.
    return field === null || !isListed(found, component, field);
  });
}

function compareMembers(
  name: string,
  file: DeclaredMembers | undefined,
  snapshot: DeclaredMembers | undefined,
): TypeDifference[] {
  const component = snapshot?.component ?? file?.component ?? name;
  if (file === undefined) return [{ kind: "added", component, field: null, file: null, snapshot: name }];
  if (snapshot === undefined) return [{ kind: "removed", component, field: null, file: name, snapshot: null }];
  return [...new Set([...file.members.keys(), ...snapshot.members.keys()])].sort().flatMap((member) => {
    const before = file.members.get(member) ?? null;
    const after = snapshot.members.get(member) ?? null;
    if (before === after) return [];
    const kind = before === null ? "added" : after === null ? "removed" : "changed";
    return [{ kind, component, field: member === "" ? null : member, file: before, snapshot: after }];
  });
}

/** The maps `ContentTypes` and `Blocks` name every component: what they lack or have more of is told of the component. */
function isListed(found: ReadonlyMap<string, TypeDifference>, map: string, component: string): boolean {
  return (map === "ContentTypes" || map === "Blocks") && found.has(JSON.stringify([component, null]));
}
