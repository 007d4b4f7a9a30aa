// Attaches a lazily created value to an object. The value has the same lifetime as the object, so no global registry is needed.

/** @param name name for debugging */
export function perObject<H extends object, T>(name: string, make: (holder: H) => T): (holder: H) => T {
  const held = Symbol(name);
  return (holder) => {
    const own = holder as { [held]?: T };
    return (own[held] ??= make(holder));
  };
}
