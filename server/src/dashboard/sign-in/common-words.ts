/** What leaked passwords are mostly made of, longest first, folded as passwords are before they are compared. */
export const commonWords: readonly string[] = `
  password passwort contrasena motdepasse senha wachtwoord parola passphrase passwd
  welcome willkommen bienvenue letmein trustno changeme temporary default admin administrator root
  login access master secret secure security system server database internet computer network account
  service support office company business finance manager owner developer payment payments money
  dollar euro naira florin card cards bank banking credit debit visa mastercard sandbox production
  iloveyou loveyou lovely forever princess sunshine dragon monkey shadow superman batman spiderman
  starwars pokemon naruto minecraft football baseball basketball hockey soccer liverpool chelsea
  arsenal barcelona realmadrid juventus michael jordan jennifer jessica ashley nicole daniel andrew
  joshua matthew charlie thomas robert george william hunter ranger tigger buster killer pepper
  ginger summer winter spring autumn january february march april june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday london paris berlin
  lagos abuja accra nigeria ghana america canada germany france england freedom whatever nothing
  something hello goodbye please thanks cheese banana orange purple yellow silver golden diamond
  flower butterfly angel heaven jesus christ blessed godisgood qwerty azerty asdf zxcv test testing
  tester example sample demo guest user username private public hacker matrix merlin phoenix
  mustang ferrari porsche mercedes yamaha harley corvette chocolate coffee pizza cookie
  `
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
