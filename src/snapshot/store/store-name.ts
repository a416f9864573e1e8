/**
 * Checks that a name is a plain relative path, which cannot leave the folder that it is joined to.
 * @throws RangeError for a name that is empty, absolute, has a drive letter, a backslash, a NUL, or an empty, `.` or
 * `..` segment
 */
export function checkName(name: string): void {
  const segments = name.split("/");
  const plain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!plain || name.includes("\\") || name.includes("\0") || /^[A-Za-z]:/.test(name)) {
    throw new RangeError(`Not a name below the root of a store: ${JSON.stringify(name)}`);
  }
}

/** Like {@link checkName}, for a folder: `""` stands for the root. */
export function checkFolderName(folder: string): void {
  if (folder !== "") checkName(folder);
}
