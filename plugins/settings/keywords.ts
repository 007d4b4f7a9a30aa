// Declares the settings keywords of properties in `manifest.config`, and the fields of a setting.
import type {} from 'agent-harness/kernel';

declare module 'agent-harness/kernel' {
  interface ConfigKeywords {
    readonly tab?: string;
    readonly title?: string;
    readonly description?: string;
    /** Additional search terms, in no order. */
    readonly words?: string;
    /** Lists the setting among the first search results; smaller numbers come first. */
    readonly rank?: number;
    /** The value is never shown, and never in preferences. */
    readonly secret?: boolean;
    /** The value applies to this process only: set by the environment or at run time, never by preferences at the start or `.env`. */
    readonly ephemeral?: boolean;
    /** The default does not replace an invalid value, and ranges do not clamp it: reading it throws `KRN_ERR_SETTING_UNUSABLE`. */
    readonly mustFit?: boolean;
    /** Returns the text in the form that the schema describes; an empty text counts as unset. Throws an error whose message is the end of `<variable>: …`. */
    readonly normalize?: (text: string) => string;
  }
  /** A declared variable; without `value` for a secret. */
  interface ConfigField {
    /** The value without the preference, if it differs from the default. */
    readonly resetsTo?: unknown;
    readonly isSet: boolean;
    readonly source: 'environment' | 'imposed' | 'preferences' | 'default';
    /** The process environment sets the value, or a layer imposes it, so that preferences cannot change it. */
    readonly locked: boolean;
    /** The value is invalid, and the default does not replace it ({@link ConfigKeywords.mustFit}). */
    readonly isUnusable?: true;
  }
}
