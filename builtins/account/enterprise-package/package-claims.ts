// Reads the signed manifest of an enterprise package and decides whether the package may replace the installed one. Pure.
import { compareVersions, isVersion } from '#lib/versions';

export interface PackageClaims {
  readonly version: string;
  /** SHA-256 hash of the archive, in hex. */
  readonly sha256: string;
  /** Size of the archive in bytes. */
  readonly size: number;
  /** Oldest version of this program that can load the package. */
  readonly minVersion?: string;
  /** Whether the package may replace a newer version. */
  readonly isRollback: boolean;
  /** Time of the signature, as a Unix timestamp in seconds. */
  readonly iat: number;
}

/** Maximum size of a package archive in bytes. */
export const mostArchiveBytes = 64 * 1024 * 1024;

/** Reads the claims of a signed manifest; returns `undefined` if they are not a package manifest. */
export function readPackageClaims(claims: Readonly<Record<string, unknown>>): PackageClaims | undefined {
  const { version, sha256, size, minVersion, rollback, iat } = claims;
  if (typeof version !== 'string' || !isVersion(version) || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  if (!Number.isSafeInteger(size) || (size as number) < 1 || (size as number) > mostArchiveBytes) return undefined;
  if (minVersion !== undefined && (typeof minVersion !== 'string' || !isVersion(minVersion))) return undefined;
  if (typeof iat !== 'number') return undefined;
  return { version, sha256, size: size as number, ...(minVersion === undefined ? {} : { minVersion }), isRollback: rollback === true, iat };
}

/** Decides whether to install an offered package. `same`: already installed. `older`: a downgrade that was not requested. */
export function judgePackage(
  offered: PackageClaims,
  installed: PackageClaims | undefined,
  program: string,
): 'install' | 'same' | 'older' | 'needs_newer_program' {
  if (installed?.sha256 === offered.sha256 && installed.version === offered.version) return 'same';
  // A rollback applies only to packages signed before it: a replayed rollback cannot undo later versions.
  const isBack = installed !== undefined && compareVersions(offered.version, installed.version) <= 0;
  if (isBack && !(offered.isRollback && offered.iat > installed.iat)) return 'older';
  const { minVersion } = offered;
  return minVersion !== undefined && isVersion(program) && compareVersions(program, minVersion) < 0 ? 'needs_newer_program' : 'install';
}
