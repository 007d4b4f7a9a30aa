// The contract of skills from other sources than a workspace.

/** Contribution point `skill_root`: a folder whose subfolders are skills. The contributing plugin has the user's approval of its content. */
export interface SkillRoot {
  /** Owner of the skills, for users and the model: the name of a bundle. */
  readonly name: string;
  /** Real path; nothing outside of it is read. */
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly folder: string;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    skill_root: SkillRoot;
  }
}
