/** The lock file of npm, as far as it is changed. */
export interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  resolved?: string | undefined;
  integrity?: string | undefined;
}

/** Sets where the package of this project comes from. It has no checksum, because it is packed anew each time. */
export function setPackage({ packages }: LockFile, range: string, resolved: string | undefined): void {
  const [site, own] = [packages[""], packages["node_modules/offprint"]];
  if (site?.dependencies === undefined || own === undefined) throw new Error("the lock file does not have the package");
  site.dependencies.offprint = range;
  own.resolved = resolved;
  own.integrity = undefined;
}

/**
 * Adds the optional packages for other platforms that a registry did not have. npm leaves such out when it writes a lock
 * file, and refuses it then with `npm ci`, on every platform.
 */
export function addForeignPackages({ packages }: LockFile): void {
  for (const [parent, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const places = [`${parent}/node_modules/${name}`, `node_modules/${name}`];
      if (places.some((place) => packages[place] !== undefined)) continue;
      const version = range.replace(/^[\^~]/, "");
      packages[`node_modules/${name}`] = { version, optional: true, ...platformOf(name) };
    }
  }
}

const systems = /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/;
const processors = /-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)(?=-|$)/;

/** From the name, as all of them are named: `@rollup/rollup-win32-x64-msvc`. */
function platformOf(name: string): Pick<LockedPackage, "os" | "cpu"> {
  const [os, cpu] = [systems.exec(name)?.[1], processors.exec(name)?.[1]];
  return { ...(os === undefined ? {} : { os: [os] }), ...(cpu === undefined ? {} : { cpu: [cpu] }) };
}
