// The types of `sample-view.mjs`, which is JavaScript as a plugin of a person is.
import type { PluginManifest, PluginModule } from 'agent-harness/kernel';
import type { View } from 'agent-harness/plugins/views';

export function sampleView(): View;
export const manifest: PluginManifest & { readonly name: 'sample-view' };
export const register: PluginModule<never>['register'];
