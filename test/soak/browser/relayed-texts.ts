// Searches the nodes between a host and its remote viewer for the texts that they relayed.
import { expect, onTestFinished } from 'vitest';
import type { OutsideNodes } from '../../helpers/relay-nodes.ts';
import { makeMarks, markBeginning, marksIn, plantMarks } from '../../helpers/planted-texts.ts';
import { textsInMemory } from '../../helpers/process-memory.ts';
import { askAs, openGuest, startScriptedHost } from '../../helpers/relay.ts';

/** Plants `count` random texts in frames and input. Expects that no node has one in its memory, home or output. */
export async function expectNoMarksInNodes(outside: OutsideNodes, count: number): Promise<void> {
  const host = await startScriptedHost({ ask: askAs(outside.license, outside.url), size: 2_000 });
  const guest = openGuest({ origin: outside.url, code: host.code, secret: host.secret });
  onTestFinished(async () => {
    guest.close();
    await host.end();
  });
  await guest.until(({ frames }) => frames.length > 0);
  const marks = makeMarks(count);
  const { shown, typed: heard } = await plantMarks(host, guest, marks);
  expect([shown.length, heard.length]).toEqual([count / 2, count / 2]);
  const looked = outside.nodes.map(({ pid, output }, at) => ({ pid, home: outside.homes[at]!, output: output() }));
  for (const node of looked) expect(await marksIn(node, marks)).toEqual([]);
  expect(outside.relayed.filter(({ body, reply }) => body.includes(markBeginning) || reply.includes(markBeginning))).toEqual([]);
  // Proves that the search finds existing texts: at both ends, and in a node that received one.
  expect(await textsInMemory(process.pid, markBeginning, marks)).toHaveLength(count);
  const controls = makeMarks(50);
  for (const mark of controls) await fetch(`${outside.nodes[0]!.url}/api/remote/poll?after=${mark}`);
  expect(await marksIn(looked[0]!, controls)).not.toEqual([]);
}
