// Recognises secrets files by name, and reads the secrets of the secrets files in workspaces.
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileStamp } from '#lib/files';
import { BoundedMap } from '#lib/values';
import { secretsIn, type Secret } from './secret-values.ts';
import { createWorkspaceWalk } from './workspace-walk.ts';

/** Match complete names and extensions; example files contain no secrets. */
const nameParts = [
  String.raw`\.env(?:[._-].+)?|.+\.env|\.envrc(?:\..+)?|\.flaskenv|\.dev\.vars(?:\..+)?|.+\.tfvars(?:\.json)?|local\.settings\.json`,
  String.raw`\.netrc|_netrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|pip\.conf|nuget\.config|auth\.json|\.terraformrc|\.sentryclirc|\.clasprc\.json`,
  String.raw`\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.dockerconfigjson|\.?kubeconfig(?:\..+)?|\.vault-token|\.?vault[-_]pass(?:\.txt)?`,
  String.raw`\.s3cfg|\.boto|\.?rclone\.conf|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|key|p8|p12|pfx|ppk|kdbx|keystore|jks)`,
  String.raw`service[-_]?account.*\.json|.*firebase-adminsdk.*\.json|access[-_]?tokens\.json`,
];
const names = new RegExp(`^(?:${nameParts.join('|')})$`, 'i');
/** Matches files whose names alone are common. */
const places = /(?:^|\/)(?:\.docker\/config\.json|\.kube\/config|\.aws\/config|\.ssh\/(?!config$|known_hosts|authorized_keys)[^/]+|\.config\/gh\/hosts\.yml)$/i;
const examples = /(?:example|sample|template|dist|\.pub)$/i;
/** Matches names such as `secrets.yaml` and `db-password.txt`, but not code that handles secrets. */
const words = /(?:^|[._-])(?:secrets?|credentials?|passwords?|passwd|tokens?|apikeys?|api-keys?|private-key)(?=[._-]|$)/i;
const wordEnds = ['', '.txt', '.json', '.yaml', '.yml', '.toml', '.ini', '.cfg', '.conf', '.properties', '.csv', '.env'];

export function isSecretFile(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  const name = basename(plain);
  if (examples.test(name)) return false;
  return names.test(name) || places.test(plain) || (words.test(name) && wordEnds.includes(extname(name).toLowerCase()));
}

/** Limits per workspace: number of files, bytes per file, number of secrets. */
const most = { files: 2_000, bytes: 4_000_000, secrets: 10_000 };

export interface WorkspaceSecrets {
  /** The secrets; the same array until a secret changes. */
  readonly secrets: readonly Secret[];
  /** Limit that may have caused missing secrets, as the end of a sentence that begins with "the workspace". */
  readonly limit?: string;
}

export interface SecretFiles {
  /** Returns the current secrets of a workspace. Contract: never rejects. */
  secretsOf(workspaceRoot: string): Promise<WorkspaceSecrets>;
}

interface SecretFile {
  readonly stamp: string;
  readonly secrets: readonly Secret[];
  readonly isTooLarge: boolean;
}

export function createSecretFiles(): SecretFiles {
  const known = new BoundedMap<
    string,
    { readonly files: ReadonlyMap<string, SecretFile>; readonly found: WorkspaceSecrets; readonly limit: string | undefined }
  >(20);
  const walk = createWorkspaceWalk(isSecretFile);

  return {
    async secretsOf(workspaceRoot) {
      const { paths, limit } = await walk.find(workspaceRoot);
      const before = known.get(workspaceRoot);
      const read = async (path: string): Promise<readonly [string, SecretFile]> => [path, await readSecrets(workspaceRoot, path, before?.files.get(path))];
      const files = new Map(await Promise.all(paths.slice(0, most.files).map(read)));
      const isSame = before?.files.size === files.size && before.limit === limit && [...files].every(([path, file]) => before.files.get(path) === file);
      if (isSame) return before.found;
      const found = collect(files, paths.length, limit);
      known.set(workspaceRoot, { files, found, limit });
      return found;
    },
  };
}

function collect(files: ReadonlyMap<string, SecretFile>, count: number, walkLimit: string | undefined): WorkspaceSecrets {
  const secrets = [...files.values()].flatMap((file) => file.secrets);
  const large = [...files].find(([, { isTooLarge }]) => isTooLarge)?.[0];
  const limits = [
    walkLimit,
    count > most.files ? `has more than ${most.files} files of secrets` : undefined,
    large === undefined ? undefined : `has a file of secrets of more than ${most.bytes / 1_000_000} MB, ${large}`,
    secrets.length > most.secrets ? `has more than ${most.secrets} secrets` : undefined,
  ];
  const limit = limits.find((one) => one !== undefined);
  return { secrets: secrets.slice(0, most.secrets), ...(limit === undefined ? {} : { limit }) };
}

/** Reads the secrets in a file; returns none if the file is unreadable, because calls cannot send its content either. */
async function readSecrets(workspaceRoot: string, path: string, before: SecretFile | undefined): Promise<SecretFile> {
  const full = join(workspaceRoot, path);
  const stamp = fileStamp(full);
  if (before?.stamp === stamp) return before;
  const size = await stat(full).then(
    (found) => found.size,
    () => 0,
  );
  const bytes = size > most.bytes ? Buffer.alloc(0) : await readFile(full).catch(() => Buffer.alloc(0));
  return { stamp, secrets: secretsIn(decode(bytes), path), isTooLarge: size > most.bytes };
}

/** Decodes UTF-16 with a byte order mark, otherwise UTF-8. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes);
}
