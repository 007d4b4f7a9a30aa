// Finds variables that no plugin declares, such as misspelt ones.
import { nearestNames } from '#lib/text';
import type { CliParts } from './cli-parts.ts';

const prefix = 'AGENT_';
/** Minimum length of a variable name after the prefix; shorter names may belong to other programs. */
const minNameLength = 4;

/**
 * Returns a sentence for each variable of the `.env` file that no plugin declares, and of the environment if its name is close to a declared one.
 * @param environment variables of this process
 */
export async function findUnknownVariables({ services: { kernel, product } }: CliParts, environment: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const declared = kernel.fields().map(({ key }) => key);
  const dotenv = Object.keys((await product.readDotenv?.()) ?? {});
  const names = new Set([...dotenv, ...Object.keys(environment)].filter((name) => name.startsWith(prefix) && !declared.includes(name)));
  return [...names].flatMap((name) => {
    const near = name.length < prefix.length + minNameLength ? [] : nearestNames(name, declared, { slips: (length) => Math.floor(length / 3) });
    if (near.length === 0 && !dotenv.includes(name)) return [];
    return [`${name} is not a setting of any plugin.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`}`];
  });
}
