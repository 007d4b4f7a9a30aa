// Stores the trust decisions about workspaces in one file of the home folder, by workspace and subject.
import { join } from 'node:path';
import type { PointHandler } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { digestOfFiles, filesSubject, isOwnWorkspace, realRoot } from './workspace-files.ts';
import type { Trust, TrustRow, TrustSubject } from './contract.ts';

/** Trusted digests by real path of the workspace, then by subject. */
type TrustFile = Record<string, Record<string, string>>;

export interface TrustParts {
  readonly trust: Trust;
  readonly point: PointHandler<TrustSubject>;
}

/** Creates the store. @param changed runs after a decision is on disk */
export function createTrust(
  { storage, product }: { readonly storage: Storage; readonly product: Product },
  changed: (change: { readonly workspaceRoot: string; readonly subject: string; readonly isTrusted: boolean }) => Promise<void>,
): TrustParts {
  const path = join(product.home, 'trusted_workspaces.json');
  const subjects = new Map<string, TrustSubject>();
  let known: Promise<TrustFile> | undefined;

  /** Reads the file once; this process is its only writer as long as it runs. */
  function read(): Promise<TrustFile> {
    known ??= storage.readJson(path, isTrustFile).then(
      (file) => file ?? {},
      (fault: unknown) => {
        known = undefined;
        throw fault;
      },
    );
    return known;
  }

  async function isTrusted(workspaceRoot: string, subject: string, digest: string): Promise<boolean> {
    const decided = (await read())[realRoot(workspaceRoot)];
    return decided !== undefined && Object.hasOwn(decided, subject) && decided[subject] === digest;
  }

  async function rows(workspaceRoot: string): Promise<TrustRow[]> {
    const found = await Promise.all([...subjects.values()].map((subject) => rowOf(subject, workspaceRoot)));
    return found.flatMap((row) => row ?? []).sort((a, b) => Number(a.isListedOnly === true) - Number(b.isListedOnly === true) || (a.name < b.name ? -1 : 1));
  }

  const trust: Trust = {
    isTrusted,
    rows,
    async areFilesTrusted(workspaceRoot) {
      const root = realRoot(workspaceRoot);
      return isOwnWorkspace(root, product.home) || isTrusted(root, filesSubject, digestOfFiles(root));
    },
    async coverOf(workspaceRoot, path) {
      const decided = (await read())[realRoot(workspaceRoot)] ?? {};
      if (Object.keys(decided).length === 0) return undefined;
      return (await rows(workspaceRoot)).find((row) => row.isTrusted && row.files?.includes(path) === true)?.title;
    },
    async decide(workspaceRoot, subject, digest, isTrustedNow) {
      const root = realRoot(workspaceRoot);
      const write = (current: TrustFile = {}): TrustFile => {
        const { [subject]: _before, ...others } = current[root] ?? {};
        return { ...current, [root]: isTrustedNow ? { ...others, [subject]: digest } : others };
      };
      const file = await storage.updateJson(path, write, { shape: isTrustFile });
      known = Promise.resolve(file);
      await changed({ workspaceRoot: root, subject, isTrusted: isTrustedNow });
    },
  };

  async function rowOf(subject: TrustSubject, workspaceRoot: string): Promise<TrustRow | undefined> {
    const finding = await subject.find(workspaceRoot);
    return finding && { ...finding, name: subject.name, isTrusted: await isTrusted(workspaceRoot, subject.name, finding.digest) };
  }

  return {
    trust,
    point: {
      validate: ({ name }) => (subjects.has(name) ? `there is already a subject of trust named '${name}'` : undefined),
      added: (subject) => void subjects.set(subject.name, subject),
      removed: (subject) => void subjects.delete(subject.name),
    },
  };
}

function isTrustFile(value: unknown): value is TrustFile {
  return isRecord(value) && Object.values(value).every((decided) => isRecord(decided) && Object.values(decided).every((digest) => typeof digest === 'string'));
}
