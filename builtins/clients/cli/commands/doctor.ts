// Implements `doctor`: checks that all requirements are installed and working.
import { countWithNoun } from '#lib/text';
import { constants } from 'node:fs';
import { access, open, readdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { errorOf, isMissing, messageOf } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import { jsonOf } from '#lib/values';
import type { CliParts, RunCommand } from '../cli-parts.ts';
import { configText } from '../config-text.ts';
import { findServer, withServer, type FoundServer } from '../find-server.ts';
import { exitCodeOf, note, ok, printFindings, wrong, type Finding } from '../findings.ts';
import { createPaint } from '../paint.ts';
import { findUnknownVariables } from '../unknown-variables.ts';
import { describeMissingKey } from './serve.ts';

const oldestNode = [20, 19] as const;
/** Age of the built-in model facts, in days, from which it is reported. Providers announce shutdowns a few months in advance. */
const oldFactsDays = 60;
const leastFreeBytes = 200 * 1024 * 1024;
/** Number of bytes to read from the end of a journal; an earlier broken line is where an earlier process was terminated. */
const tailBytes = 64 * 1024;

/** An `error` event. */
interface Fault {
  readonly source: string;
  readonly message: string;
}
const mends: Readonly<Record<string, string>> = { plugin: 'Fix, remove or disable that plugin.', storage: 'Check the file that it names.' };
const mendFault = 'The running server reported it; restart the server when the cause is fixed.';

/** The displayed part of the reply of `POST /api/provider/test`. */
interface ConnectionTest {
  readonly ok: boolean;
  readonly tools?: string;
  readonly lines: readonly { readonly title: string; readonly text: string }[];
}

export const doctor: RunCommand = async (parts, { options, signal }, output) => {
  const findings = [
    ...(options['repair'] === true ? await repairChats(parts) : []),
    checkNode(process.versions.node),
    ...(await checkHome(parts)),
    ...checkPlugins(parts),
    ...(await findUnknownVariables(parts)).map((text) => note(text, 'Correct its name or remove it.')),
    ...(await checkJournals(parts)),
    await checkModel(parts),
    ...checkModelFacts(parts),
    ...(await parts.doctorChecks.look()),
  ];
  const server = await findServer(parts).catch((fault: unknown) => errorOf(fault));
  findings.push(await checkServer(parts, server));
  if (options['connection'] === true) findings.push(await checkConnection(parts, signal));
  const faults = await readFaults(parts, server);
  findings.push(
    ...faults
      .filter(({ message }) => !findings.some(({ text }) => text.includes(message)))
      .map(({ message, source }) => wrong(message, mends[source] ?? mendFault)),
  );
  if (options['json'] !== true) return printFindings(findings, createPaint(output), output);
  output.out(`${JSON.stringify(findings, undefined, 2)}\n`);
  return exitCodeOf(findings);
};

/** Runs before the checks, which then check the repaired state. */
async function repairChats({ services: { chats } }: CliParts): Promise<Finding[]> {
  try {
    const repairs = await chats.rebuild();
    if (repairs.length === 0) return [ok('Nothing had to be repaired.')];
    return repairs.map(({ path, text }) => note(`Repaired ${path}`, text));
  } catch (fault) {
    const { code, message } = fault as { code?: unknown; message: string };
    if (code !== 'CHATS_ERR_HOME_IN_USE') return [wrong(`The repair failed: ${message}`, 'Fix that and run it again.')];
    return [wrong('Nothing was repaired: a server uses the home folder.', 'Stop the server, then run this again.')];
  }
}

/** Checks the Node.js version. @param version version in the format of `process.versions.node` */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needsMajor, needsMinor] = oldestNode;
  const isEnough = major > needsMajor || (major === needsMajor && minor >= needsMinor);
  return isEnough ? ok(`Node ${version}`) : wrong(`Node ${version} is too old.`, `Install Node ${needsMajor}.${needsMinor} or later.`);
}

async function checkHome({ services: { product } }: CliParts): Promise<Finding[]> {
  const { home } = product;
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      wrong(`The home folder ${home} cannot be read and written.`, `Change its owner to your user: sudo chown -R "$(id -un)" '${home}' && chmod 700 '${home}'`),
    ];
  }
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const corrupt = [home, ...(await foldersIn(join(home, 'chats'))), ...(await foldersIn(join(home, 'plugin-data')))].map(asidesIn);
  return [
    ok(`The home folder ${home} can be read and written.`),
    ...(free < leastFreeBytes
      ? [wrong(`Only ${Math.floor(free / 1024 / 1024)} MB are free in ${home}.`, 'Free space on that disk; chats are stored there.')]
      : []),
    ...(await Promise.all(corrupt))
      .flat()
      .map((path) => note(`${path} was unreadable and has been quarantined.`, 'Copy what you need from it, then delete it.')),
  ];
}

function checkPlugins({ services: { kernel } }: CliParts): Finding[] {
  const { plugins, warnings } = kernel.report();
  const active = plugins.filter(({ state }) => state === 'active').length;
  return [
    ok(`${active} of ${countWithNoun(plugins.length, 'plugin')} are active.`),
    ...plugins.flatMap(({ name, state, reason = 'without a reason', origin }) => {
      const disable = origin === 'user' ? 'Fix or remove its file in the plugin folder.' : 'Reinstall the program; its files may be damaged.';
      if (state === 'failed') return [wrong(`Plugin '${name}' failed: ${reason}`, disable)];
      return state === 'unmet' ? [note(`Plugin '${name}' waits: ${reason}`)] : [];
    }),
    ...kernel.fields().flatMap(({ key, warning, isUnusable }) => (isUnusable ? [wrong(warning ?? key, `Correct ${key} or remove it.`)] : [])),
    ...warnings.filter((warning) => !kernel.fields().some((field) => field.isUnusable && field.warning === warning)).map((warning) => note(warning)),
  ];
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name)); // the folder does not exist
}

async function asidesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []); // the path is a file among the chat folders
  return names.filter((name) => name.includes('.corrupt-')).map((name) => join(folder, name));
}

async function checkJournals({ services: { product } }: CliParts): Promise<Finding[]> {
  const folder = join(product.home, 'chats');
  const names = await readdir(folder).catch(() => []);
  const chatIds = names.filter((name) => name.startsWith('chat_'));
  const findings: Finding[] = [];
  for (const chatId of chatIds) {
    const path = join(folder, chatId, 'session.jsonl');
    const fault = await readFault(path);
    if (fault !== undefined) findings.push(fault);
  }
  const readable = chatIds.length - findings.filter(({ level }) => level === 'wrong').length;
  return [...(readable === chatIds.length ? [ok(`${countWithNoun(readable, 'chat')} can be read.`)] : []), ...findings];
}

async function readFault(path: string): Promise<Finding | undefined> {
  try {
    const tail = await readTail(path);
    const lines = tail.text.split('\n').slice(tail.isWhole ? 0 : 1);
    const last = lines.pop();
    if (lines.some((line) => jsonOf(line) === undefined))
      return wrong(`${path} has lines that are not valid JSON.`, 'Restore it from a backup, or delete that chat.');
    return last ? note(`${path} ends in the middle of a line, as after a crash.`, 'It is repaired when the chat is next opened.') : undefined;
  } catch (fault) {
    if (isMissing(fault)) return undefined; // a chat without a turn has no journal
    return wrong(`${path} cannot be read: ${messageOf(fault)}`, `chmod 600 '${path}'`);
  }
}

async function readTail(path: string): Promise<{ text: string; isWhole: boolean }> {
  const { size } = await stat(path);
  const start = Math.max(0, size - tailBytes);
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    return { text: buffer.toString('utf8', 0, bytesRead), isWhole: start === 0 };
  } finally {
    await file.close();
  }
}

/** Reads the errors that were reported while the server ran or while this program started. */
async function readFaults({ services: { eventLog } }: CliParts, server: FoundServer | Error | undefined): Promise<readonly Fault[]> {
  if (server && !(server instanceof Error)) {
    const known = await server.client.call<{ readonly errors?: readonly Fault[] }>('GET', '/api/plugins').catch(() => undefined);
    if (known?.errors) return known.errors;
  }
  return (eventLog?.newest() ?? []).map(({ json }) => JSON.parse(json) as Fault);
}

async function checkServer(parts: CliParts, running: FoundServer | Error | undefined): Promise<Finding> {
  if (running instanceof Error) return wrong(running.message, 'Stop that server, or use the token it was started with.');
  if (running) return ok(`The server runs at ${running.url} (process ${running.pid}).`);
  if (parts.services.kernel.fields().some(({ key, isUnusable }) => key === 'PORT' && isUnusable))
    return note('No server runs, and the value of PORT prevents a start.');
  const port = Number(configText(parts, 'PORT') || 3001);
  const host = configText(parts, 'AGENT_WEB_BIND_HOST') || '127.0.0.1';
  const why = await whyNotFree(port, host);
  if (why === undefined) return ok(`No server runs; port ${port} is free for one.`);
  return wrong(
    `No server runs, and none could listen on ${host}, port ${port}: ${why}.`,
    `Choose another port with 'serve --port <port>' or PORT, or stop the program that uses it.`,
  );
}

async function whyNotFree(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code === 'EADDRINUSE' ? 'another program uses it' : fault.message));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

async function checkModel(parts: CliParts): Promise<Finding> {
  const noKey = await describeMissingKey(parts);
  if (noKey !== undefined) return note('No provider key is set.', noKey);
  const { model, baseURL, wire, unusable } = parts.services.models.route();
  if (unusable) return wrong(unusable.message, 'Until then, no model is called.');
  return ok(wire === 'demo' ? 'Models of the account are used (managed inference).' : `Model ${model} at ${baseURL}.`);
}

/** Checks the age of the built-in model facts, and whether models have an announced shutdown date. */
function checkModelFacts({ services: { models } }: CliParts): Finding[] {
  const { checkedOn, ageDays, shutdown } = models.facts();
  const age = `The model facts of this version were checked on ${checkedOn}, ${countWithNoun(ageDays, 'day')} ago.`;
  return [
    ageDays > oldFactsDays ? note(age, 'Update the program.') : ok(age),
    ...(shutdown ? [note(`${shutdown.model} shuts down on ${shutdown.on}.`, `Set AGENT_MODEL=${shutdown.successor ?? 'another model'}.`)] : []),
  ];
}

/** Sends a request to the model, which costs tokens. */
async function checkConnection(parts: CliParts, signal: AbortSignal): Promise<Finding> {
  if ((await describeMissingKey(parts)) !== undefined) return note('The connection to the model was not tested: no provider key is set.');
  const mend = 'Check AGENT_API_BASE_URL, AGENT_MODEL and AGENT_API_KEY.';
  try {
    const { ok: isAnswered, tools, lines } = await withServer(parts, signal, (client) => client.call<ConnectionTest>('POST', '/api/provider/test', {}));
    const text = `Connection to the model:\n${lines.map((line) => `       ${line.title}: ${makeSafe(line.text)}`).join('\n')}`;
    if (!isAnswered) return wrong(text, mend);
    return tools === 'refused' ? note(text, 'Choose another model with AGENT_MODEL to use tools.') : ok(text);
  } catch (fault) {
    return wrong(`The connection to the model could not be tested: ${messageOf(fault)}`, mend);
  }
}
