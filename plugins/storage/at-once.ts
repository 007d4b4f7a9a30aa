// Reads and writes short files of the home folder synchronously.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '#lib/errors';
import type { StorageAtOnce } from 'agent-harness/plugins/storage';

export const filesAtOnce: StorageAtOnce = {
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (fault) {
      if (isMissing(fault)) return undefined;
      throw fault;
    }
  },
  write(path, text, { isFlushed }) {
    try {
      (isFlushed ? writeFlushed : writePlain)(path, text);
    } catch (fault) {
      if (!isMissing(fault)) throw fault;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      (isFlushed ? writeFlushed : writePlain)(path, text);
    }
  },
  async writeAhead(path, text, isWanted) {
    const temporary = `${path}.${process.pid}-a.tmp`;
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      if (!isWanted()) return false;
      renameSync(temporary, path);
      return true;
    } finally {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  },
  remove: (path) => rmSync(path, { force: true }),
  list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return []; // the folder never existed
    }
  },
};

function writePlain(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}

function writeFlushed(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
