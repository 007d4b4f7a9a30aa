// What breaks between a phone and its computer: it goes on by itself, says what is the matter, and nobody between has read anything.
import { expect, test } from 'vitest';
import { makeMarks, markBeginning, marksIn } from '../../helpers/planted-marks.ts';
import { textsInFolder, textsInMemory } from '../../helpers/process-memory.ts';
import { isIdle, messageField, reads, say } from '../../helpers/use-browser.ts';
import { useOutside } from './use-outside.ts';

const outside = useOutside();

test('it comes back by itself: loaded again, after a lock, with the server started anew, and says honestly that the computer is away', async () => {
  const { world, pair } = outside();
  const { page } = await pair('full');
  world.model.play([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }]);
  await say(page, 'first');
  await reads(page, 'One.');
  await page.reload();
  await isIdle(page);
  await reads(page, 'One.');
  await say(page, 'second');
  await reads(page, 'Two.');

  // Locked and carried out of the network: nothing goes, then all does.
  await page.context().setOffline(true);
  await page.getByText('This device is offline').waitFor();
  await messageField(page).fill('third');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.context().setOffline(false);
  await reads(page, 'Three.');
  await expect.poll(() => page.locator('.link-notice').textContent(), { timeout: 20_000 }).toBe('');

  await world.stopServer('SIGKILL');
  await page.reload();
  await page.getByText(/Your computer (?:does not answer|is not connected)/).waitFor({ timeout: 60_000 });
  await world.startServer();
  await expect.poll(() => page.locator('.link-notice').textContent(), { timeout: 60_000 }).toBe('');
  await isIdle(page);
  await reads(page, 'Three.');
  await say(page, 'fourth');
  await reads(page, 'Four.');
}, 240_000);

test('either node is killed while a reply is being written: all of it arrives, in order and once', async () => {
  const { world, pair } = outside();
  const { page } = await pair('full');
  const words = Array.from({ length: 60 }, (_, at) => `word${at} `);
  world.model.play([{ text: words, delayMs: 150 }, { text: 'Still here.' }]);
  await say(page, 'count');
  await reads(page, 'word5');
  await world.killNode(0);
  await reads(page, 'word20');
  await world.startNode(0);
  await world.killNode(1);
  await reads(page, words.join('').trim());
  await world.startNode(1);
  await isIdle(page);
  const { chatId } = (await world.server.call('GET', '/api/workspace/current')).body;
  await say(page, 'and now?');
  await reads(page, 'Still here.');
  const { entries } = (await world.server.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.filter(({ text }: { text?: string }) => text === 'count' || text === 'and now?')).toHaveLength(2);
}, 240_000);

test.skipIf(process.platform !== 'linux')(
  'a thousand marks in what is written and answered: none stands in the memory, the home or the output of a node',
  async () => {
    const { world, pair } = outside();
    const { page } = await pair('full');
    const marks = makeMarks(1_000);
    const rounds = 5;
    const share = marks.length / rounds / 2;
    for (let round = 0; round < rounds; round++) {
      const [said, answered] = [marks.slice(2 * share * round, 2 * share * round + share), marks.slice(2 * share * round + share, 2 * share * (round + 1))];
      world.model.play([{ text: answered.map((mark) => `${mark} `), delayMs: 2 }]);
      await say(page, said.join(' '));
      await reads(page, answered.at(-1) ?? '');
      await isIdle(page);
    }
    const { relayed } = world;
    expect(relayed.filter(({ body, reply }) => body.includes(markBeginning) || reply.includes(markBeginning))).toEqual([]);
    for (const [at, { pid, output }] of world.nodes.entries()) {
      expect(await marksIn({ pid, home: world.homes[at] ?? '', output: output() }, marks)).toEqual([]);
    }
    // That the looking finds what is there: in the computer at home stands the conversation, and in a node what it was asked for.
    expect((await textsInMemory(world.server.pid, markBeginning, marks)).length).toBeGreaterThan(500);
    expect(await textsInFolder(world.home, marks)).toHaveLength(marks.length);
    const polled = await Promise.all(world.nodes.map(({ pid }) => textsInMemory(pid, '/api/remote/', ['/api/remote/poll'])));
    expect(polled.flat()).not.toEqual([]);
  },
  240_000,
);
