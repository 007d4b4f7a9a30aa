// What a plugin does to all objects is told by its name, whoever else is being loaded meanwhile.
import { expect, test } from 'vitest';
import { createPluginWatch } from '../../../../builtins/distribution/plugin-host/plugin-watch.ts';

test('of two plugins that register side by side, the one that gives every object a property is named, and the property goes', async () => {
  const said: string[] = [];
  const nothing = (): void => undefined;
  const watch = createPluginWatch({ say: (plugin, what) => void said.push(`${plugin} ${what}`), heard: nothing, failed: nothing });
  let end = nothing;
  const gate = new Promise<void>((resolve) => (end = resolve));
  const pollute = async (): Promise<void> => {
    (Object.prototype as { extra?: number }).extra = 1;
    await gate;
  };
  expect(() => watch.intercept({ plugin: 'one', what: 'register' }, pollute)).toThrow("added a property 'extra' to every object");
  const other = watch.intercept({ plugin: 'other', what: 'register' }, async () => gate);
  expect('extra' in {}).toBe(false);
  end();
  await other;
  expect(said).toEqual(["one added a property 'extra' to every object (prototype pollution); it was removed again."]);
});
