// Downloads the enterprise package into a folder beside the installed one and rejects unsigned packages.
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { License } from 'agent-harness/plugins/licensing';
import type { Installed } from './installed.ts';
import { readPackageClaims, type PackageClaims } from './package-claims.ts';
import { unpack } from './unpack.ts';

export interface Offer {
  readonly claims: PackageClaims;
  /** The signed manifest of the package. */
  readonly manifest: string;
}

/**
 * Returns the package that the control plane offers; `none`: no package exists; `invalid`: the signature is invalid. Rejects with the control plane's error.
 */
export async function readOffer(controlPlane: ControlPlane, license: Pick<License, 'verify'>, signal: AbortSignal): Promise<Offer | 'none' | 'invalid'> {
  const { body } = await controlPlane.request({ method: 'GET', path: '/api/enterprise/package', signal }).catch((fault: unknown) => {
    if (hasNone(fault)) return { body: undefined };
    throw fault;
  });
  if (body === undefined) return 'none';
  const manifest = isRecord(body) ? body['manifest'] : undefined;
  const signed = typeof manifest === 'string' ? await license.verify('package', manifest) : undefined;
  const claims = signed && readPackageClaims(signed);
  return claims && typeof manifest === 'string' ? { claims, manifest } : 'invalid';
}

/** Downloads, checks and unpacks a package; resolves with its folder. On failure, deletes that folder and rejects with an error that describes the problem. */
export async function fetchPackage({ claims, manifest }: Offer, installed: Installed, controlPlane: ControlPlane, signal: AbortSignal): Promise<string> {
  const archive = await download(controlPlane, claims, signal);
  if (sha256(archive) !== claims.sha256) throw new Error('the archive does not match its signature.');
  await mkdir(dirname(installed.dir), { recursive: true, mode: 0o700 });
  const folder = `${installed.dir}.new-${randomBytes(6).toString('hex')}`;
  try {
    await unpack(archive, folder);
    await installed.sign(folder, manifest);
    return folder;
  } catch (fault) {
    await rm(folder, { recursive: true, force: true });
    throw fault;
  }
}

async function download(controlPlane: ControlPlane, { version, size }: PackageClaims, signal: AbortSignal): Promise<Uint8Array> {
  const { chunks } = await controlPlane.download({ path: `/api/enterprise/package/${encodeURIComponent(version)}`, signal });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > size) break;
    parts.push(chunk);
  }
  if (bytes !== size) throw new Error('the archive does not have the signed size.');
  return Buffer.concat(parts);
}

function hasNone(fault: unknown): boolean {
  const { details } = (fault ?? {}) as { readonly details?: unknown };
  return isRecord(details) && details['status'] === 404;
}
