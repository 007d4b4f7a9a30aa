// Tests that prototype pollution is attributed to the right plugin while others are loading.
import { expect, test } from 'vitest';
import { createPluginWatch } from '../../../../builtins/distribution/plugin-host/plugin-watch.ts';

test('names the plugin that pollutes Object.prototype during parallel registration, and removes the property', async () => {
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
