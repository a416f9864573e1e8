/** The function with its answers kept: a space has few names and many fields. */
export function remembered<Made extends object>(make: (name: string) => Made): (name: string) => Made {
  const known = new Map<string, Made>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = make(name);
    if (known.size > 10_000) known.clear();
    known.set(name, made);
    return made;
  };
}
