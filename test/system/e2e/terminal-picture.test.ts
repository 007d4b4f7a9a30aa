// Tests that the terminal screenshot in docs/guides/terminal.md matches the screen of the built program.
// `PICTURE=write npx vitest run test/system/e2e/terminal-picture.test.ts` updates the screenshot.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';
import { startInTerminal } from '../../helpers/terminal.ts';

const guide = join(root, 'docs/guides/terminal.md');
const picture = /```text\n\$ app chat\n[^]*?\n```/;

const answer = '`roundPrice` cuts instead of rounding, so 1.995 becomes 1.99.\n\n- The test expects 2.00.\n- `Math.round` does what is meant.\n';
const steps = ['Find the cause', 'Run the test', 'Mend it'].map((text, at) => ({ text, status: ['done', 'active', 'pending'][at] }));
const code = ['// Money is counted in cents.', 'export function roundPrice(cents: number) {', '  return Math.floor(cents);', '}'];

const still = { AGENT_PERSONA_BOOTSTRAP: '0', AGENT_EFFECT_PREVIEW: '0' };

test('matches the screenshot in the guide', async () => {
  const model = await startScriptedModel([
    { toolCalls: [{ name: 'grep_files', args: { pattern: 'roundPrice' } }] },
    { toolCalls: [{ name: 'read_file', args: { path: 'src/price.ts' } }] },
    { text: answer, toolCalls: [{ name: 'update_plan', args: { items: steps } }] },
    { toolCalls: [{ name: 'run_command', args: { command: 'npm test -- price' } }] },
  ]);
  const home = await mkdtemp(join(tmpdir(), 'tui-home-'));
  const folder = await mkdtemp(join(tmpdir(), 'tui-work-'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/price.ts'), `${code.join('\n')}\n`);
  const server = await startServerProcess({ home, workspace: folder, environment: { ...model.environment, ...still } });
  const tty = startInTerminal(['chat', '--new'], { folder, environment: { HOME: home, APP_HOME: home }, columns: 100, rows: 40 });
  try {
    await tty.shows(/\/ commands/);
    tty.type('Why does the price test fail?\r');
    await tty.shows(/npm test -- price[^]*y approve[^]*Waiting for your approval/);
    await tty.until('the plan stands there', () => /Plan, 2 of 3/.test(tty.screen().join('\n')));
    const shown = tty
      .scrolled()
      .map((line) =>
        line
          .replaceAll(folder, '/work/shop')
          .replace(/ {2}\d+\.?\d* m?s$/, '')
          .replace(/· \d+ s ·/, '· 4 s ·')
          // The title request of the chat counts once it has finished.
          .replace(/\d+ in \d+ out/, '40 in 20 out')
          .trimEnd(),
      )
      .filter((line) => !line.startsWith('Set up a personality'))
      .join('\n');
    const taken = `\`\`\`text\n$ app chat\n${shown}\n\`\`\``;
    const text = await readFile(guide, 'utf8');
    if (process.env['PICTURE'] === 'write')
      await writeFile(
        guide,
        text.replace(picture, () => taken),
      );
    else expect(picture.exec(text)?.[0]).toBe(taken);
  } finally {
    tty.kill('SIGKILL');
    await server.stop();
    await model.close();
    await rm(home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
});
