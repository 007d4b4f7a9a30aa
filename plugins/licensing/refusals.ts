// Lists the reasons for rejecting a license token, each with advice.

/** `unknown_key`: signed with an unknown key. `unreadable`: not a license, or an incomplete one. `no_key`: no public key is configured. */
export type TokenFault = 'unknown_key' | 'unreadable' | 'no_key';

const ownPlane =
  "run 'app login --site ADDRESS' on this machine: it shows the key of that control plane and asks you to confirm it. " +
  "Or put what 'app control-plane key --env' prints there (AGENT_HUB_SITE_URL and AGENT_LICENSE_PUBLIC_KEY) into the .env of the home folder here.";

/** For every route by which a user enters a license. */
export const adviceFor: Readonly<Record<TokenFault, string>> = {
  unknown_key: `It is signed with a key that is not known here. For a control plane of your own, ${ownPlane}`,
  unreadable: 'It is no license, or not all of one. Copy the whole token, and nothing else.',
  no_key: `No license can be checked, as AGENT_LICENSE_PUBLIC_KEY is not an Ed25519 public key in PEM form. For a control plane of your own, ${ownPlane}`,
};
