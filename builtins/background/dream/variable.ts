// Defines the name of the environment variable that enables dreams.
export const variable = 'AGENT_AUTO_DREAM';
