// The name of the variable that switches dreams on and off.
export const variable = 'AGENT_AUTO_DREAM';
