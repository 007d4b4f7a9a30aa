// Stores copies of plugins that ran well, so that such a version can be loaded when a later one fails.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createHash } from 'node:crypto';

/** Of each plugin. */
const versionsKept = 3;
/** Of one version; what is larger is not kept. */
const most = { bytes: 5_000_000, files: 500 };

export interface PluginVersion {
  readonly content: string;
  /** When it was last known to run well. */
  readonly at: Date;
  /** The file to load. */
  readonly path: string;
}

export interface PluginVersions {
  readonly dir: string;
  /** Another text for each content of a plugin; `undefined` where it is too large, or cannot be read. @param path of the file that is loaded */
  contentOf(path: string): string | undefined;
  /** Keeps what the plugin holds now; where that is not what is wanted, nothing. Never throws. */
  keep(name: string, path: string, wanted?: string): void;
  /** The newest that is another one. @param fits whether it may be loaded */
  lastGood(name: string, path: string, other: string | undefined, fits?: (version: PluginVersion) => boolean): PluginVersion | undefined;
  /** The plugin is gone. */
  forget(name: string): void;
  /** It does not work either. */
  drop(name: string, content: string): void;
}

/** Below the home folder. */
export const versionsFolder = 'plugin-versions';
/** Copies are readable for the user alone. */
export function openPluginVersions(home: string): PluginVersions {
  const dir = join(home, versionsFolder);
  const placeOf = (name: string, content: string): string => join(dir, name, content);

  function versionsOf(name: string): { readonly content: string; readonly at: Date }[] {
    try {
      return readdirSync(join(dir, name))
        .filter((content) => /^[0-9a-f]{64}$/.test(content))
        .map((content) => ({ content, at: statSync(placeOf(name, content)).mtime }))
        .sort((left, right) => right.at.getTime() - left.at.getTime());
    } catch {
      return [];
    }
  }

  const drop = (name: string, content: string): void => rmSync(placeOf(name, content), { recursive: true, force: true });

  return {
    dir,
    contentOf,
    drop,
    forget: (name) => rmSync(join(dir, name), { recursive: true, force: true }),
    keep(name, path, wanted) {
      try {
        const content = wanted ?? contentOf(path);
        if (content === undefined) return;
        const place = placeOf(name, content);
        const now = new Date();
        if (!existsSync(place)) {
          rmSync(`${place}.new`, { recursive: true, force: true });
          mkdirSync(`${place}.new`, { recursive: true, mode: 0o700 });
          for (const part of partsOf(path))
            cpSync(part, join(`${place}.new`, basename(part)), { recursive: true, filter: (from) => basename(from) !== 'node_modules' });
          // It may have been written to meanwhile.
          if (contentOf(join(`${place}.new`, fileIn(path))) !== content) return rmSync(`${place}.new`, { recursive: true, force: true });
          renameSync(`${place}.new`, place);
        }
        utimesSync(place, now, now);
        for (const { content: old } of versionsOf(name).slice(versionsKept)) drop(name, old);
      } catch {
        // The next time, perhaps: nothing depends on it.
      }
    },
    lastGood(name, path, other, fits = () => true) {
      const versions = versionsOf(name).flatMap(({ content, at }): PluginVersion[] => {
        const file = join(placeOf(name, content), fileIn(path));
        return content !== other && existsSync(file) ? [{ content, at, path: file }] : [];
      });
      return versions.find(fits);
    },
  };
}

/** A plugin with an index is its folder; a file may keep a folder of its name beside it. */
function partsOf(path: string): string[] {
  if (isIndex(path)) return [dirname(path)];
  const beside = path.replace(/\.m?js$/, '');
  return existsSync(beside) ? [path, beside] : [path];
}

const isIndex = (path: string): boolean => /^index\.m?js$/.test(basename(path));
const fileIn = (path: string): string => (isIndex(path) ? join(basename(dirname(path)), basename(path)) : basename(path));

function contentOf(path: string): string | undefined {
  const hash = createHash('sha256');
  let bytes = 0;
  let files = 0;
  const take = (file: string, name: string): boolean => {
    const stats = lstatSync(file);
    if (stats.isDirectory()) {
      if (name.endsWith('/node_modules')) return true;
      return readdirSync(file)
        .sort()
        .every((inner) => take(join(file, inner), `${name}/${inner}`));
    }
    files++;
    bytes += stats.size;
    if (!stats.isFile() || files > most.files || bytes > most.bytes) return false;
    hash.update(`${name}\0${stats.size}\0`).update(readFileSync(file));
    return true;
  };
  try {
    return partsOf(path).every((part) => take(part, basename(part))) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}
