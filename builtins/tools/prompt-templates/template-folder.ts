// Reads the prompt templates of the user or of a workspace.
import { collectFiles, collectedDigest, collectedStamp, collectedTexts, type CollectedFile } from '#lib/collect-files';
import { commandsIn, type CommandFile } from '#lib/command-file';

export interface TemplateFolder {
  /** Absolute path of the home folder or the workspace. */
  readonly root: string;
  readonly templates: readonly CommandFile[];
  /** Sentences that name the invalid files and the reasons. */
  readonly leftOut: readonly string[];
  readonly files: readonly CollectedFile[];
  /** SHA-256, in hex, over the paths and contents; `undefined` if there are no templates. */
  readonly digest: string | undefined;
  /** Text that changes when a file is changed or added. */
  readonly stamp: string;
}

/** @param folder path relative to the root, with `/` */
export async function readTemplateFolder(root: string, folder: string): Promise<TemplateFolder> {
  const { files, leftOut, fault } = await collectFiles(root, [folder]);
  const counted = fault === undefined ? files.filter(({ path }) => path.endsWith('.md')) : [];
  const { commands, leftOut: bad } = commandsIn(collectedTexts(counted), `${folder}/`);
  return {
    ...{ root, templates: commands, files: counted },
    leftOut: [...(fault === undefined ? leftOut : [fault]), ...bad],
    digest: commands.length === 0 ? undefined : collectedDigest(counted),
    stamp: collectedStamp(root, counted.map(({ path }) => path).concat(folder)),
  };
}

export function isCurrent({ root, files, stamp }: TemplateFolder, folder: string): boolean {
  const paths = files.map(({ path }) => path).concat(folder);
  return collectedStamp(root, paths) === stamp;
}
