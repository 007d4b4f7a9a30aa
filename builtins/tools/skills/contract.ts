// Defines the contract of skills that do not come from a workspace.

/** Contribution point `skill_root`: a folder whose subfolders are skills. The contributing plugin must have the user's approval of its content. */
export interface SkillRoot {
  /** Display name of the owner of the skills, for users and the model: the name of a bundle. */
  readonly name: string;
  /** Real path of the root; nothing outside it is read. */
  readonly root: string;
  /** Path relative to the root, with `/`. */
  readonly folder: string;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    skill_root: SkillRoot;
  }
}
