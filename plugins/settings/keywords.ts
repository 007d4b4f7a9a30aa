// Keywords that a property in `manifest.config` may carry for the settings, and what a field of the settings holds.
import type {} from 'agent-harness/kernel';

declare module 'agent-harness/kernel' {
  interface ConfigKeywords {
    readonly tab?: string;
    readonly title?: string;
    readonly description?: string;
    /** Further words by which people look for it, in no order. */
    readonly words?: string;
    /** It is among the first results of a search; smaller ones come first. */
    readonly rank?: number;
    /** Never shown, never in preferences. */
    readonly secret?: boolean;
    /** For this process only: the environment and a change while it runs count, preferences at the start and `.env` do not. */
    readonly ephemeral?: boolean;
    /** The default never replaces a set value that cannot be used, and no range is enforced on it: reading the value throws `KRN_ERR_SETTING_UNUSABLE`. */
    readonly mustFit?: boolean;
    /** Returns the text in the form that the schema describes; an empty text counts as unset. Throws an error whose message completes `<variable>: …`. */
    readonly normalize?: (text: string) => string;
  }
  /** Without `value` for a secret. */
  interface ConfigField {
    /** Holds without the preference, where that is not the default. */
    readonly resetsTo?: unknown;
    readonly isSet: boolean;
    readonly source: 'environment' | 'imposed' | 'preferences' | 'default';
    /** Set in the real process environment, or imposed, so preferences cannot change it. */
    readonly locked: boolean;
    /** The set value cannot be used, and the default does not replace it ({@link ConfigKeywords.mustFit}). */
    readonly isUnusable?: true;
  }
}
