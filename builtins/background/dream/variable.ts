// The name of the variable that turns dreams on and off.
export const variable = 'AGENT_AUTO_DREAM';
