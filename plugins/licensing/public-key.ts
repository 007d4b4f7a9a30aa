// The key that licenses of the hosted service are signed for; a self-hosted one sets AGENT_LICENSE_PUBLIC_KEY.

export const builtInPublicKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEABlji63O8S2GWnTvkAmTj0ZDLlb8q0h6XIpshsCRE8IA=
-----END PUBLIC KEY-----
`;
