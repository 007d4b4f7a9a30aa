// Defines defective plugins, one fault each, with the name and reason that the report must contain for each place where a plugin can run.

export type Place = 'process' | 'child';

export interface Broken {
  /** Readable description of the fault. The plugin name is derived from it. */
  readonly what: string;
  readonly head?: string;
  readonly manifest?: string;
  readonly register?: string;
  readonly call?: string;
  /** Expected report. Omitted for a place that cannot detect the fault, in which case `not` states why. */
  readonly report: Partial<Record<Place, RegExp>>;
  /** Explains in the table why nothing is reported. */
  readonly not?: Partial<Record<Place, string>>;
  /** Places in which the fault terminates the whole program. The next start must name the plugin. */
  readonly ends?: readonly Place[];
}

const all = (report: RegExp): Broken['report'] => ({ process: report, child: report });
const apart = (report: RegExp): Broken['report'] => ({ child: report });
const spin = (ms: number): string => `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;
const notMeasured = 'Only calls are measured in the server itself, not timers and what comes after a wait.';
const refusedAnyway = 'Nothing is refused in the server itself: such code may do whatever the person may.';

export const broken: readonly Broken[] = [
  { what: 'cannot be parsed', head: 'export const = 1;', report: all(/Unexpected token|SyntaxError/) },
  { what: 'throws during import', head: "throw new Error('not today');", report: all(/not today/) },
  { what: 'throws in register', register: "throw new Error('not today');", report: all(/not today/) },
  { what: 'never finishes register', register: 'await new Promise(() => {});', report: all(/did not finish its register\(\) within/) },
  { what: 'declares another name', manifest: "name: 'somebody-else'", report: all(/somebody-else/) },
  {
    what: 'adds a property to Object.prototype',
    register: 'Object.prototype.extra = 1;',
    report: { process: /prototype pollution/ },
    not: both('It changes its own realm alone.'),
  },
  {
    what: 'requires a missing service',
    manifest: "capabilities: { hosts: ['*'] }",
    report: apart(/manifest\.capabilities\.hosts has/),
    not: { process: refusedAnyway },
  },
  {
    what: 'uses an undeclared hook',
    register: "emitter.tap('turn.before', () => {});",
    report: apart(/List the hook in capabilities\.hooks/),
    not: { process: refusedAnyway },
  },
  { what: 'throws in a timer', call: "setTimeout(() => { throw new Error('boom'); }, 1);", report: all(/boom/) },
  { what: 'leaves an unhandled rejection', call: "void Promise.reject(new Error('boom'));", report: all(/boom/) },
  {
    what: 'emits an unhandled error event',
    head: "import { EventEmitter } from 'node:events';",
    call: "setImmediate(() => new EventEmitter().emit('error', new Error('boom')));",
    report: all(/boom/),
  },
  {
    what: 'throws in its own thread',
    head: "import { Worker } from 'node:worker_threads';",
    call: `new Worker("setTimeout(() => { throw new Error('boom'); }, 1)", { eval: true });`,
    report: { process: /boom/, child: /restricted|worker_threads|ERR_ACCESS/ },
  },
  {
    what: 'loops during a call',
    manifest: 'capabilities: { timeMs: 500 }',
    call: spin(2_500),
    report: { process: /blocked the server for/, ...apart(/more than 0\.5 s/) },
  },
  {
    what: 'loops after a call',
    manifest: 'capabilities: { timeMs: 500 }',
    call: `setTimeout(() => ${spin(4_000)}, 1);`,
    report: apart(/more than 0\.5 s/),
    not: { process: notMeasured },
  },
  {
    what: 'waits forever',
    manifest: 'capabilities: { timeMs: 500 }',
    call: `setTimeout(async () => { const end = performance.now() + 4_000; while (performance.now() < end) await null; }, 1);`,
    report: apart(/more than 0\.5 s/),
    not: { process: notMeasured },
  },
  {
    what: 'exhausts its heap',
    call: 'globalThis.all = []; setInterval(() => { for (let at = 0; at < 10; at++) globalThis.all.push(new Array(200_000).fill(at + 0.5)); }, 5);',
    report: apart(/it used more than 128 MB of memory/),
    not: { process: 'Memory of the server itself has no limit for one plugin.' },
    ends: ['process'],
  },
  {
    what: 'allocates huge buffers',
    call: `const all = []; for (let at = 0; at < (${'PLACE'} === 'process' ? 4 : 60); at++) all.push(Buffer.alloc(50 * 1_048_576, 1));`,
    report: { child: /Array buffer allocation failed|it used more than/ },
    not: { process: 'Memory of the server itself has no limit for one plugin.' },
  },
  {
    what: 'floods its output',
    call: "for (let at = 0; at < 200_000; at++) registry.log.info('x');",
    report: apart(/more than 10000 messages|blocked its process for/),
    not: { process: 'It is charged for the time.' },
  },
  { what: 'exits the process', call: 'process.exit(3);', report: { process: /process\.exit\(\)/, child: /ended: its process ended/ }, ends: ['process'] },
  { what: 'aborts', call: 'process.abort();', report: { process: /process\.abort\(\)/, ...apart(/ended: its process ended/) }, ends: ['process'] },
  {
    what: 'kills the process by a signal',
    call: "process.kill(process.pid, 'SIGKILL');",
    report: { process: /a signal/, ...apart(/is not available/) },
    ends: ['process'],
  },
];

function both(text: string): Partial<Record<Place, string>> {
  return { child: text };
}

export const nameOfBroken = ({ what }: Broken): string => what.replaceAll(/[^a-z]+/g, '-');

/** Returns the source of the plugin. `GET /api/<name>` triggers the fault; `GET /api/<name>-fine` does nothing. */
export function fileOf(one: Broken, place: Place): string {
  const name = nameOfBroken(one);
  const { head = '', manifest = '', register = '', call = '' } = one;
  const route = (path: string, body: string): string =>
    `registry.add('route', { key: 'GET /api/${path}', summary: 'x', tag: 'x', schema: {}, handle: async () => { ${body.replaceAll('PLACE', JSON.stringify(place))} return { fine: true }; } });`;
  return `${head}
export const manifest = { name: '${name}', isolation: '${place}', ${place === 'process' ? manifest.replace(/capabilities: \{.*\}/, '') : manifest} };
export async function register(registry, emitter) {
  ${route(`${name}-fine`, '')}
  ${route(name, call)}
  ${register}
}`;
}
