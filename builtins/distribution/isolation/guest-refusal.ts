// What the walls around a plugin's code are built with: taken once, before that code runs, so that it can change nothing of it.

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
export type Exports = Record<PropertyKey, unknown>;

const { defineProperty } = Reflect;

/** A method as a function that gets its object first, whatever becomes of the prototype. */
export const uncurry = (method: unknown): ((self: unknown, ...args: unknown[]) => unknown) => Function.prototype.call.bind(method as never) as never;

/** For good. */
export function replace(holder: Exports, key: PropertyKey, value: unknown): void {
  const isDone = defineProperty(holder, key, { value, writable: false, configurable: false, enumerable: true });
  if (!isDone) throw new Error(`'${String(key)}' cannot be taken away from plugins on node ${process.version}`);
}

/** With the code that node gives what its permission model refuses. */
export function refusal(what: string, mend: string): Error {
  const error = new Error(`A plugin outside the server's process may not ${what}; ${mend}.`);
  defineProperty(error, 'code', { value: 'ERR_ACCESS_DENIED', enumerable: true });
  return error;
}

/** What stands where a function was. */
export function refused(name: string): AnyFunction {
  return function (): never {
    throw refusal(`call ${name}`, "use fetch or a service of the server, or leave 'isolation' out of the manifest");
  };
}
