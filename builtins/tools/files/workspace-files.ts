// Implements access to workspace files for the tools of other plugins, under the rules of the file tools.
import { readFile } from 'node:fs';
import { promisify } from 'node:util';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import { failure, isFailure } from '#lib/errors';
import { openDecided } from './paths/decisions.ts';
import type { FilePorts } from './ports.ts';

const readLater = promisify(readFile);

export function createWorkspaceFiles({ decisions, exactFiles }: FilePorts): WorkspaceFiles {
  const files: WorkspaceFiles = {
    decide(place, path) {
      try {
        decisions.decide(place, path);
      } catch (fault) {
        if (!isFailure(fault)) throw fault;
      }
    },
    async read(place, path, maxBytes) {
      files.decide(place, path);
      const target = decisions.recall(place, path);
      if (!target.isInside) throw failure(`${path} is outside the workspace; only files of the workspace can be used.`);
      if (target.hasOtherNames) throw failure(`${path} is a hard link: the same file may have another name outside the workspace.`);
      const opened = openDecided(target, exactFiles);
      try {
        return opened.stats.size > maxBytes ? undefined : await readLater(opened.descriptor);
      } finally {
        exactFiles.close(opened);
      }
    },
  };
  return files;
}
