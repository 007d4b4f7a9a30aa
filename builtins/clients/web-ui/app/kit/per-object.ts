// What is made once for an object and lives exactly as long as that: no module has to keep it.

/** @param name for whoever looks at the object */
export function perObject<H extends object, T>(name: string, make: (holder: H) => T): (holder: H) => T {
  const held = Symbol(name);
  return (holder) => {
    const own = holder as { [held]?: T };
    return (own[held] ??= make(holder));
  };
}
