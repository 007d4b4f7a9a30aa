// Stores published plugin packages in the database: a signed manifest, and the archive in chunks.
import { sha256 } from '#lib/hash';
import { compareVersions } from '#lib/versions';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneKeys } from 'agent-harness/builtins/control-plane/plane-keys';

export const tables = `
create table package (
  version text primary key,
  sha256 text not null,
  size bigint not null,
  manifest text not null,
  made_at timestamptz not null default clock_timestamp()
);
create table package_chunk (
  version text not null references package (version) on delete cascade,
  place int not null,
  content bytea not null,
  primary key (version, place)
);
`;

export interface NewPackage {
  readonly version: string;
  readonly archive: Uint8Array;
  /** Oldest version of the program that can load the package. */
  readonly minVersion?: string;
  /** Whether the package may replace a newer version. */
  readonly isRollback: boolean;
}

export interface PublishedPackage {
  readonly version: string;
  readonly sha256: string;
  /** Size of the archive in bytes. */
  readonly size: number;
  /** Compact JWS of type package+jws. */
  readonly manifest: string;
}

export interface Packages {
  /** Signs and stores a package. `exists`: the version is already published; `older`: the version is below the newest one and not declared as a rollback. */
  publish(one: NewPackage): Promise<PublishedPackage | 'exists' | 'older'>;
  /** Returns the last published package. */
  newest(): Promise<PublishedPackage | undefined>;
  archive(version: string): Promise<{ readonly content: Uint8Array; readonly sha256: string } | undefined>;
}

const chunkBytes = 1024 * 1024;
const columns = 'version, sha256, size, manifest';

export function createPackages(database: Database, planeKeys: PlaneKeys, now: () => number = () => Date.now()): Packages {
  /** Caches the newest archive for all members; the archive of a version never changes. */
  let kept: { readonly content: Uint8Array; readonly sha256: string } | undefined;

  async function newest(): Promise<PublishedPackage | undefined> {
    const [row] = await database.query<PublishedPackage>(`select ${columns} from package order by made_at desc, version desc limit 1`);
    return row;
  }

  return {
    newest,
    publish: ({ version, archive, minVersion, isRollback }) =>
      database.transaction(async (query) => {
        await query.query('lock table package in share row exclusive mode');
        const known = await query.query<{ version: string }>('select version from package');
        if (known.some((one) => one.version === version)) return 'exists';
        if (!isRollback && known.some((one) => compareVersions(one.version, version) > 0)) return 'older';
        const digest = sha256(archive);
        const size = archive.byteLength;
        const manifest = await planeKeys.sign('package', {
          version,
          sha256: digest,
          size,
          ...(minVersion === undefined ? {} : { minVersion }),
          ...(isRollback ? { rollback: true } : {}),
          iat: Math.floor(now() / 1_000),
        });
        await query.query('insert into package (version, sha256, size, manifest) values ($1, $2, $3, $4)', [version, digest, size, manifest]);
        for (let at = 0, place = 0; at < size; at += chunkBytes, place++) {
          await query.query('insert into package_chunk (version, place, content) values ($1, $2, $3)', [
            version,
            place,
            Buffer.from(archive.subarray(at, at + chunkBytes)),
          ]);
        }
        return { version, sha256: digest, size, manifest };
      }),
    async archive(version) {
      const [row] = await database.query<PublishedPackage>(`select ${columns} from package where version = $1`, [version]);
      if (!row || kept?.sha256 === row.sha256) return row && kept;
      const chunks = await database.query<{ content: Uint8Array }>('select content from package_chunk where version = $1 order by place', [version]);
      const found = { content: Buffer.concat(chunks.map(({ content }) => content)), sha256: row.sha256 };
      if (sha256(found.content) === row.sha256) kept = found;
      return found;
    },
  };
}
