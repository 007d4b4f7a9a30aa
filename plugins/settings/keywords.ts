// Settings keywords for properties in `manifest.config`, and the fields of a setting.
import type {} from 'agent-harness/kernel';

declare module 'agent-harness/kernel' {
  interface ConfigKeywords {
    readonly tab?: string;
    readonly title?: string;
    readonly description?: string;
    /** Additional search terms, in no order. */
    readonly words?: string;
    /** Listed among the first search results; smaller numbers come first. */
    readonly rank?: number;
    /** Never shown, never in preferences. */
    readonly secret?: boolean;
    /** For this process only: set by the environment or at run time, never by preferences at the start or `.env`. */
    readonly ephemeral?: boolean;
    /** An invalid value is not replaced by the default, and ranges are not enforced: reading it throws `KRN_ERR_SETTING_UNUSABLE`. */
    readonly mustFit?: boolean;
    /** Returns the text in the form that the schema describes; an empty text counts as unset. Throws an error whose message completes `<variable>: …`. */
    readonly normalize?: (text: string) => string;
  }
  /** Without `value` for a secret. */
  interface ConfigField {
    /** The value without the preference, if it is not the default. */
    readonly resetsTo?: unknown;
    readonly isSet: boolean;
    readonly source: 'environment' | 'imposed' | 'preferences' | 'default';
    /** Set in the real process environment, or imposed, so that preferences cannot change it. */
    readonly locked: boolean;
    /** The value is invalid, and the default does not replace it ({@link ConfigKeywords.mustFit}). */
    readonly isUnusable?: true;
  }
}
