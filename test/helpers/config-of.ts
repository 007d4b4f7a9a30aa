// Builds the settings of a test kernel from strings.
import { kernelError, type ConfigStore } from 'agent-harness/kernel';
import { createConfigStore, type ConfigTexts } from '../../plugins/settings/config-store.ts';

export const configOf = (texts: ConfigTexts): ConfigStore => createConfigStore(texts, kernelError);
