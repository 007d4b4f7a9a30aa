// Which files hold secrets, by their names, and what they say at the moment in the workspaces that calls come from.
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileStamp } from 'agent-harness/lib/files';
import { BoundedMap } from 'agent-harness/lib/values';
import { secretsIn, type Secret } from './secret-values.ts';

/** Whole names and ends of names; a file of examples has none to lose. */
const names =
  /^(?:\.env(?:\..+)?|.+\.env|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.vault-token|\.s3cfg|\.boto|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p8|ppk|kdbx|keystore|jks)|service-account.*\.json)$/i;
const examples = /(?:example|sample|template|dist|\.pub)$/i;
/** `secrets.yaml`, `db-password.txt`; not the code that deals with them. */
const words = /(?:^|[._-])(?:secrets?|credentials?|passwords?|passwd|tokens?|apikeys?|api-keys?|private-key)(?=[._-]|$)/i;
const wordEnds = ['', '.txt', '.json', '.yaml', '.yml', '.toml', '.ini', '.cfg', '.conf', '.properties', '.csv', '.env'];

export function isSecretFile(path: string): boolean {
  const name = basename(path.replaceAll('\\', '/'));
  if (examples.test(name)) return false;
  return names.test(name) || (words.test(name) && wordEnds.includes(extname(name).toLowerCase()));
}

/** Of one workspace. */
const most = { files: 30, bytes: 64_000, folders: 60 };
const skipped = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'venv']);

export interface SecretFiles {
  /** Those of a workspace, as they are now. Contract: never rejects. */
  secretsOf(workspaceRoot: string): Promise<readonly Secret[]>;
}

interface Known {
  /** The folder when it was looked through. */
  readonly stamp: string;
  /** Relative, with `/`. */
  readonly paths: readonly string[];
  readonly files: Map<string, { readonly stamp: string; readonly secrets: readonly Secret[] }>;
}

export function createSecretFiles(): SecretFiles {
  const known = new BoundedMap<string, Known>(20);

  /** The folder and those in it are looked through again where something came into the folder or left it. */
  async function lookInto(workspaceRoot: string): Promise<Known> {
    const stamp = fileStamp(workspaceRoot);
    const before = known.get(workspaceRoot);
    if (before?.stamp === stamp) return before;
    const found = { stamp, paths: await findPaths(workspaceRoot), files: before?.files ?? new Map() };
    known.set(workspaceRoot, found);
    return found;
  }

  async function read(workspaceRoot: string, path: string, files: Known['files']): Promise<readonly Secret[]> {
    const full = join(workspaceRoot, path);
    const stamp = fileStamp(full);
    const before = files.get(path);
    if (before?.stamp === stamp) return before.secrets;
    const text = await readFile(full, 'utf8').catch(() => '');
    const secrets = secretsIn(text.slice(0, most.bytes), path);
    files.set(path, { stamp, secrets });
    return secrets;
  }

  return {
    async secretsOf(workspaceRoot) {
      const { paths, files } = await lookInto(workspaceRoot);
      return (await Promise.all(paths.map((path) => read(workspaceRoot, path, files)))).flat();
    },
  };
}

async function findPaths(root: string): Promise<string[]> {
  const entries = await entriesOf(root);
  const folders = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name) && entry.name !== '.git').slice(0, most.folders);
  const inner = await Promise.all(
    folders.map(async ({ name }) => (await entriesOf(join(root, name))).filter(isSecretEntry).map((entry) => `${name}/${entry.name}`)),
  );
  return [...entries.filter(isSecretEntry).map(({ name }) => name), ...inner.flat()].slice(0, most.files);
}

const isSecretEntry = (entry: Dirent): boolean => entry.isFile() && isSecretFile(entry.name);

const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);
