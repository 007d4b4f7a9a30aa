// Defines the contract of skills that come from sources other than a workspace.

/** Contribution point `skill_root`: a folder whose subfolders are skills. The contributing plugin must have obtained the user's approval for its content. */
export interface SkillRoot {
  /** Display name of the owner of the skills, for users and the model, such as the name of a bundle. */
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
