// Tests log lines with third-party text: plugins, MCP servers, models.
import { afterEach, expect, test, vi } from 'vitest';
import { createLog, faultLines } from '../../../../builtins/distribution/log-lines.ts';
import { startHarness } from '../../../helpers/harness.ts';

afterEach(() => void vi.restoreAllMocks());

/** Characters that a terminal interprets, hides or treats as a line end. */
const odd = [
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\x1b]0;title\x07',
  '\x1b[2J',
  '\x1b]52;c;Y2xpcA==\x07',
  '\x9b2J',
  '\x85',
  '\0',
  '\b\b',
  '\x7f',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
];
const hidden = ['\u202e', '\u200b', '\u2066', '\ufeff', '\u00ad', '\u{e0041}', '\u061c'];
const evil = `it works${[...odd, ...hidden].join('x')}\nerror policy: all is well`;
const isClean = (line: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line);

test('logs a plugin message and a plugin error as one clean line each', async () => {
  const plugin = {
    manifest: { name: 'odd-words' },
    register(registry: any, emitter: any) {
      for (const level of ['info', 'warn', 'error']) registry.log[level](evil, { text: evil });
      emitter.on('message_accepted', () => {
        throw new Error(evil);
      });
      emitter.tap('turn.start', () => {
        throw new Error(evil);
      });
    },
  };
  const harness = await startHarness({ builtins: ['model-demo'], modules: { 'odd-words': plugin as any } });
  const { body } = await harness.call('POST', '/api/message', { text: 'Hello.' });
  expect(body.turnId).toBeDefined();
  await expect.poll(() => harness.logs.filter((line) => line.includes('odd-words')).length).toBeGreaterThanOrEqual(4);
  expect(harness.logs.filter((line) => !isClean(line))).toEqual([]);
  expect(harness.logs.some((line) => line.startsWith('error policy'))).toBe(false);
  expect(harness.logs.join('\n')).toContain('it works\\nx');
});

test('writes one line with its fields to standard error', () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (written.push(String(text)), true));
  const log = createLog();
  log('warn', 'mcp', evil, { text: evil, more: { evil } });
  log('warn', 'mcp', 'Plain, with ünïcode, 漢字 and 👍🏽.');
  log('debug', 'mcp', evil);
  expect(written).toHaveLength(2);
  for (const line of written) expect([line.endsWith('\n'), isClean(line.slice(0, -1))]).toEqual([true, true]);
  expect(written[0]).toContain('[U+001B]]0;title');
  expect(written[1]).toBe('warn mcp: Plain, with ünïcode, 漢字 and 👍🏽.\n');
});

test('the stack of a fatal error contains no line that looks like a log line', () => {
  const lines = faultLines(new Error(evil)).split('\n');
  expect(lines.filter((line) => !isClean(line))).toEqual([]);
  expect(lines.slice(1).filter((line) => !line.startsWith('    '))).toEqual([]);
});
