// Implements `login --site`: the user confirms the key of a control plane, which is then stored in `.env`.
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, messageOf } from '#lib/errors';
import { fetchGuarded } from '#lib/guarded-fetch';
import { isSameSecret } from '#lib/hash';
import { isLoopback } from '#lib/hosts';
import { keyFingerprint, planeLines } from '#lib/plane-key';
import { recordIn } from '#lib/values';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { readAnswer } from './answer.ts';
import { exitCodes, refuseUse, type CliParts } from './cli-parts.ts';
import { appendToDotenv } from './dotenv-file.ts';

export interface PlaneToTrust {
  readonly site: string;
  /** Expected fingerprint. If it is given, the user is not prompted. */
  readonly fingerprint?: string | undefined;
}

const askMs = 15_000;
const replyLimit = 64 * 1024;
const takeOverMs = 10_000;
const pollMs = 50;

/** Returns an exit code if the command must stop; `undefined` once address and key of the control plane are set. */
export async function trustPlane(parts: CliParts, { site, fingerprint }: PlaneToTrust, signal: AbortSignal, output: CliOutput): Promise<number | undefined> {
  const url = URL.canParse(site) ? new URL(site) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    return refuseUse(output, '--site needs the address of a control plane, such as https://plane.example.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return refuseUse(output, `${url.origin} is on another machine and does not use TLS: its key could be changed in transit. Use its https address.`);
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const pem = await readKey(address, signal);
  if (pem instanceof Error) return fail(output, `The key of ${address} cannot be read: ${messageOf(pem)}`);
  const wanted = { AGENT_HUB_SITE_URL: address, AGENT_LICENSE_PUBLIC_KEY: pem };
  if (isInForce(parts, wanted)) return undefined;
  const hidden = hiddenBy(parts, wanted);
  if (hidden !== undefined) return fail(output, hidden);
  const refused = await confirm(address, keyFingerprint(pem), fingerprint, output);
  if (refused !== undefined) return refused;
  const path = await appendToDotenv(parts.services.product.home, planeLines(address, pem).join('\n'));
  output.out(`Its address and its key are now stored in ${path}.\n\n`);
  const late = AbortSignal.any([signal, AbortSignal.timeout(takeOverMs)]);
  while (!isInForce(parts, wanted)) {
    if (late.aborted) return fail(output, 'The settings were not applied. Run the command again.');
    await delay(pollMs, undefined, { signal: late }).catch(() => undefined);
  }
  return undefined;
}

async function readKey(address: string, signal: AbortSignal): Promise<string | Error> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
    const headers = { accept: 'application/json' };
    const { status, bytes } = await fetchGuarded(
      new URL(`${address}/api/license/key`),
      { headers, signal: either },
      { judge: () => undefined, limit: replyLimit },
    );
    const { publicKey } = recordIn(bytes.toString('utf8'));
    if (status !== 200 || typeof publicKey !== 'string') return new Error(`it responded with ${status} and no key. Is it the address of a control plane?`);
    keyFingerprint(publicKey);
    return publicKey;
  } catch (fault) {
    return errorOf(fault);
  }
}

type Wanted = Readonly<Record<string, string>>;

function isInForce({ services }: CliParts, wanted: Wanted): boolean {
  const fields = services.kernel.fields();
  return Object.entries(wanted).every(([key, value]) => isAlike(fields.find((field) => field.key === key)?.value, value));
}

/** Compares two values; ignores white space, quotes and trailing slashes. */
function isAlike(one: unknown, other: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll('\\n', '')
      .replaceAll(/[\s"']/g, '')
      .replace(/\/+$/, '');
  return typeof one === 'string' && plain(one) === plain(other);
}

/** Returns a sentence about a setting that overrides `.env`; `undefined` if there is none. */
function hiddenBy({ services }: CliParts, wanted: Wanted): string | undefined {
  for (const { key, value, locked, source } of services.kernel.fields()) {
    const other = wanted[key];
    if (other === undefined || isAlike(value, other) || (!locked && source !== 'preferences')) continue;
    return `${key} is set ${locked ? 'in the environment of the program' : 'in the settings'} to another value, which overrides .env. Remove it there, and run the command again.`;
  }
  return undefined;
}

/** Asks the user to confirm the key. Returns an exit code unless it was confirmed. */
async function confirm(address: string, found: string, expected: string | undefined, output: CliOutput): Promise<number | undefined> {
  if (expected !== undefined) {
    if (isSameSecret(expected.trim(), found)) return undefined;
    return fail(output, `${address} has a different key: ${found}. Nothing was changed. Ask its operator.`);
  }
  output.out(
    `The control plane ${address} has this key:\n\n  ${found}\n\n` +
      "Compare it with the output of 'app control-plane key --env' there, or ask its operator. This machine will accept everything that is signed with it:\n" +
      'licenses, settings and rules of the organisation, and a package whose code runs on this machine.\n\n',
  );
  if (output.isInputTerminal !== true) {
    output.err(`There is no terminal for the confirmation, so nothing was changed. After comparing the key, add: --fingerprint ${found}\n`);
    return exitCodes.unanswered;
  }
  output.out('Do the keys match, and do you trust this one? [y/N] ');
  if (/^y(es)?$/i.test((await readAnswer(output)).trim())) return undefined;
  return fail(output, 'Nothing was changed.');
}

function fail(output: CliOutput, sentence: string): number {
  output.err(`${sentence}\n`);
  return exitCodes.failed;
}
