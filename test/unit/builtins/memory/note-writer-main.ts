// Entry point of a second writer process. Arguments: `<home> <workspace> <name> <count> <fold every>`.
import { openWriter } from './note-writer.ts';

const [home = '', workspaceRoot = '', name = '', count = '0', foldEvery = '0'] = process.argv.slice(2);
const place = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot };
const writer = await openWriter(home);
for (let at = 0; at < Number(count); at++) {
  await writer.store.remember(place, { type: 'fact', key: `${name}-${at}`, value: `note ${at} of ${name}`, source: { kind: 'user', ref: name } });
  await writer.store.remember(place, { type: 'fact', key: 'shared', value: `${name} ${at}`, source: { kind: 'user', ref: name } });
  process.stdout.write(`${name}-${at}\n`);
  if (Number(foldEvery) > 0 && at % Number(foldEvery) === 0) await writer.rest();
}
await writer.close();
