// Implements `key set`: stores the API key of the model provider in `.env`, the only place for keys.
import { normalizeBaseUrl, normalizeKey, tryNormalize } from '#lib/setting-texts';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { appendToDotenv } from '../dotenv-file.ts';

/** Matches text that needs no quotes in `.env`. */
const plain = /^[\w.:/+=@-]+$/;

export const key: RunCommand = async ({ services }, { positionals, options }, output) => {
  const [action, ...more] = positionals;
  if (action !== 'set' || more.length > 0) return refuseUse(output, "Use 'key set'. It prompts for the key, which keeps it out of the shell history.");
  const model = textOf(options['model']);
  const address = tryNormalize(normalizeBaseUrl, textOf(options['base-url']) ?? '');
  if (address.fault !== undefined) return refuseUse(output, `--base-url ${address.fault}`);
  const baseURL = address.text || undefined;
  if (output.isInputTerminal) output.err('Key (it is not shown): ');
  const { text: typed, fault = 'is empty.' } = tryNormalize(normalizeKey, (await readKey(output)) ?? '');
  if (output.isInputTerminal) output.err('\n');
  if (!typed) {
    output.err(`The key ${fault} Nothing was written.\n`);
    return exitCodes.failed;
  }
  const given = { key: typed, ...(baseURL === undefined ? {} : { baseURL }), ...(model === undefined ? {} : { model }) };
  const lines = services.models.keepLine(given).replace('<key>', () => quoted(typed));
  const path = await appendToDotenv(services.product.home, lines);
  const names = lines.split('\n').map((line) => line.slice(0, line.indexOf('=')));
  output.out(`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} in ${path}; a running server uses it from the next turn on.\n`);
  return exitCodes.done;
};

async function readKey(output: Parameters<RunCommand>[2]): Promise<string | undefined> {
  if (output.secret) return output.secret();
  for await (const line of output.lines()) return line;
  return undefined;
}

const textOf = (option: string | boolean | undefined): string | undefined => (typeof option === 'string' && option !== '' ? option : undefined);
const quoted = (text: string): string => (plain.test(text) ? text : text.includes("'") ? `"${text}"` : `'${text}'`);
