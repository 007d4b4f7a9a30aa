// Declares the settings keywords of properties in `manifest.config`, and the fields of a setting.
import type {} from 'agent-harness/kernel';

declare module 'agent-harness/kernel' {
  interface ConfigKeywords {
    readonly tab?: string;
    readonly title?: string;
    readonly description?: string;
    /** Additional search terms. */
    readonly words?: string;
    /** Lists the setting among the first search results; smaller numbers come first. */
    readonly rank?: number;
    /** Whether the value is secret: never displayed, and never in the preferences. */
    readonly secret?: boolean;
    /**
     * Whether the value applies only to the running process: it is set by the environment or by a change at run time, never by the preferences at startup or by
     * `.env`.
     */
    readonly ephemeral?: boolean;
    /** Whether reading an invalid value throws `KRN_ERR_SETTING_UNUSABLE`. Otherwise, it is replaced with the default or clamped to its range. */
    readonly mustFit?: boolean;
    /** Returns the text in the form that the schema describes; empty text means unset. Throws an error whose message continues the sentence `<variable> …`. */
    readonly normalize?: (text: string) => string;
  }
  /** A declared variable; without `value` for a secret. */
  interface ConfigField {
    /** Value without the preference, if it differs from the default. */
    readonly resetsTo?: unknown;
    readonly isSet: boolean;
    readonly source: 'environment' | 'imposed' | 'preferences' | 'default';
    /** Whether preferences cannot change the value, because the environment sets it or a layer imposes it. */
    readonly locked: boolean;
    /** Whether the value is invalid and is not replaced with the default, see {@link ConfigKeywords.mustFit}. */
    readonly isUnusable?: true;
  }
}
