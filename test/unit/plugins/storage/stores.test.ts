// Runs the store contract for two stores: the files of the stock plugin and the memory store of the example distribution.
import { createMemoryStores, type Values } from './memory-stores.ts';
import { openStorage } from './open-storage.ts';
import { checkStores } from './store-contract.ts';

checkStores('files', async () => {
  const { folder, close, ...first } = await openStorage();
  const further: (() => Promise<void>)[] = [];
  return {
    ...first,
    folder,
    async again() {
      const next = await openStorage();
      further.push(next.close);
      return next;
    },
    async close() {
      await Promise.all(further.map((end) => end()));
      await close();
    },
  };
});

checkStores('memory', () => {
  const values: Values = new Map();
  const make = () => createMemoryStores(() => undefined, values);
  return Promise.resolve({ ...make(), folder: '/memory', again: () => Promise.resolve(make()), close: () => Promise.resolve() });
});
