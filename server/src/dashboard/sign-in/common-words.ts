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
  fuckyou fuckoff fuckme asshole bitch babygirl babyboy sweetheart sweetie honey bubbles snoopy
  scooter maverick thunder lightning cowboys eagles steelers yankees lakers redsox packers raiders
  panther tiger falcon hammer rocket soldier warrior legend gangster rainbow unicorn kitty kitten
  puppy doggy peanut muffin cupcake strawberry cherry apple mango pineapple blackberry samsung iphone
  nokia google facebook twitter youtube microsoft windows android playstation nintendo xbox fortnite
  roblox zelda mario sonic manchester united scotland ireland australia brazil mexico india
  michelle samantha amanda stephanie melissa elizabeth victoria alexander alexandra alexis
  christian christopher christine christina anthony jonathan benjamin nicholas patrick richard
  charles joseph brandon justin tyler austin taylor madison hannah emily olivia sophia sophie
  isabella natalie vanessa veronica monica patricia barbara sandra andrea angela angelina claudia
  laura lauren sarah rachel rebecca maria marie martina katherine katrina catherine caroline
  charlotte danielle gabriel gabriela gabrielle fernando francisco eduardo ricardo roberto antonio
  carlos miguel alejandro sebastian maximilian florian stefan stephen steven martin markus peter
  walter wolfgang johannes johanna matthias dominik dennis marcel oliver philipp phillip simone
  susanne ursula dmitri sergey nikita natasha anastasia mohammed muhammad ahmed fatima aisha ibrahim
  yusuf abdullah hassan hussein chinedu emeka chioma ngozi oluwaseun blessing precious favour
  emmanuel solomon samuel david james jackson johnson williams vincent victor edward kevin brian
  jason aaron albert alfred arthur raymond gregory timothy jeffrey kenneth donald ronald douglas
  kimberly heather crystal tiffany brittany jasmine destiny cassandra miranda sabrina valentina
  `
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
