// What a sandboxed command must not see: secrets, and the sockets of services that would work for it outside.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ofPerson = [
  ...['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.azure', '.password-store', '.netrc', '.npmrc', '.pypirc', '.git-credentials', '.pgpass', '.vault-token'],
  ...['.config/gcloud', '.config/gh', '.config/git/credentials', '.config/containers', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.local/share/keyrings', '.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge'],
];
/** A read-only file system does not stop anybody from talking to a socket in it. */
const ofSystem = [
  ...['/run/user', '/run/dbus', '/run/systemd/private', '/run/docker', '/run/docker.sock', '/run/containerd', '/run/podman', '/run/crio', '/run/libvirt'],
  ...[
    '/run/snapd.socket',
    '/run/lxd.socket',
    '/var/snap/lxd/common/lxd/unix.socket',
    '/var/lib/lxd/unix.socket',
    '/run/udev/control',
    '/run/screen',
    '/run/sudo',
  ],
];

export interface HiddenPath {
  /** Absolute, real. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Those that exist. @param home the product's home folder */
export async function findHiddenPaths(home: string): Promise<readonly HiddenPath[]> {
  const person = homedir();
  const found = await Promise.all([home, ...ofPerson.map((name) => join(person, name)), ...ofSystem].map(lookAt));
  const paths = new Map(found.flatMap((one) => (one ? [[one.path, one] as const] : [])));
  // Parents first, so that nothing is mounted over what is inside of it.
  return [...paths.values()].sort((one, other) => one.path.length - other.path.length);
}

async function lookAt(path: string): Promise<HiddenPath | undefined> {
  try {
    const real = await realpath(path);
    return { path: real, isFolder: (await stat(real)).isDirectory() };
  } catch {
    return undefined; // not there, and in a read-only file system nobody can put it there
  }
}
