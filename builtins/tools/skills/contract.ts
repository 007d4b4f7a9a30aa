// Skills that come from elsewhere than a workspace.

/** Contribution point `skill_root`: a folder whose folders are skills. Whoever contributes it has the leave of a person for what is in there. */
export interface SkillRoot {
  /** Of whom they are, for people and the model: the name of a bundle. */
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
