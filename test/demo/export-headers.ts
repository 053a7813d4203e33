/** The header rows of other programs' exports, as the files that each template names as its source have them. */

const columns = (line: string, delimiter = ',') => line.split(delimiter);

export const EXPORT_HEADERS = {
  boardgamegeek: columns(
    'objectname,objectid,rating,numplays,weight,own,fortrade,want,wanttobuy,wanttoplay,prevowned,preordered,wishlist,wishlistpriority,wishlistcomment,comment,conditiontext,haspartslist,wantpartslist,collid,baverage,average,avgweight,rank,numowned,objecttype,originalname,minplayers,maxplayers,playingtime,maxplaytime,minplaytime,yearpublished,bggrecplayers,bggbestplayers,bggrecagerange,bgglanguagedependence,publisherid,imageid,year,language,other,itemtype,barcode,pricepaid,pp_currency,currvalue,cv_currency,acquisitiondate,acquiredfrom,quantity,privatecomment,invlocation,invdate,version_publishers,version_languages,version_yearpublished,version_nickname',
  ),
  discogs: columns(
    'Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,Collection Media Condition,Collection Sleeve Condition,Collection Notes',
  ),
  goodreads: columns(
    'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Recommended For,Recommended By,Owned Copies,Original Purchase Date,Original Purchase Location,Condition,Condition Description,BCID',
  ),
  librarything: columns(
    'Book Id|Title|Sort Character|Primary Author|Primary Author Role|Secondary Author|Secondary Author Roles|Publication|Date|Review|Rating|Comment|Private Comment|Summary|Media|Physical Description|Weight|Height|Thickness|Length|Dimensions|Page Count|LCCN|Acquired|Date Started|Date Read|Barcode|BCID|Tags|Collections|Languages|Original Languages|LC Classification|ISBN|ISBNs|Subjects|Dewey Decimal|Dewey Wording|Other Call Number|Copies|Source|Entry Date|From Where|OCLC|Work id|Lending Patron|Lending Status|Lending Start|Lending End',
    '|',
  ),
  pricecharting: columns(
    'id,product-name,console-name,price-in-pennies,include-string,condition-string,sku,notes,cost-basis-in-pennies,quantity,date-entered,date-purchased,grading-company,grading-cert-id,folder',
  ),
  deckbox: columns(
    'Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price,Cost,Rarity,Price,TcgPlayer ID,Scryfall ID',
  ),
  'deckbox-2019': columns(
    'Count,Tradelist Count,Name,Edition,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,My Price',
  ),
  tcgplayer: columns(
    'Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU',
  ),
  'tcgplayer-inventory': columns(
    'TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL',
  ),
  manabox: columns(
    'Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency,Added',
  ),
  'dragon-shield': columns(
    'Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET',
  ),
  archidekt: columns(
    'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number',
  ),
  mtggoldfish: columns('Card,Set ID,Set Name,Quantity,Foil,Variation,Collector Number,Scryfall ID'),
  topdecked: columns(
    'QUANTITY,NAME,SETCODE,SETNAME,COLLECTOR NUMBER,FINISH,PRICE,RARITY,ID,ACQUIRED DATE,ACQUIRED PRICE,LANG,PRICE SALE,SIGNING,ALTERATION,CONDITION,NOTES,TAGS',
  ),
  brickset: columns(
    'SetID,Number,Variant,YearFrom,Category,Theme,ThemeGroup,Subtheme,SetName,Image,ImageFilename,USRetailPrice,UKRetailPrice,CARetailPrice,DERetailPrice,USDateAdded,USDateRemoved,Pieces,Minifigs,MinifigNumbers,PackagingType,Availability,USItemNumber,EUItemNumber,EAN,UPC,Width,Height,Depth,Weight,ModelDimension1,ModelDimension2,ModelDimension3,AgeMin,AgeMax,OwnCount,WantCount,InstructionsCount,AdditionalImageCount,Released,Rating,BrickLinkSoldPriceNew,BrickLinkSoldPriceUsed,Designers,LaunchDate,ExitDate,Own,Want,QtyOwned,QtyOwnedNew,QtyOwnedUsed,QtyWanted,WantedPriority,,Flag2,Flag3,Flag4,Flag5,Flag6,Flag7,Flag8,UserNotes',
  ),
  'brickset-2019': columns(
    'Number,Theme,Subtheme,Year,Set name,Minifigs,Pieces,RRP (GBP),RRP (USD),RRP (CAD),RRP (EUR),EAN,UPC,Width,Height,Depth,Weight,Notes,Qty owned,Qty owned new,Qty owned used,Wanted,Qty wanted,Priority,Flag 1 not used,Flag 2 not used,Flag 3 not used,Flag 4 not used,Flag 5 not used,Flag 6 not used,Flag 7 not used,Flag 8 not used,Value new (USD),Value used (USD),Launch date,Exit date',
  ),
  'brickset-2013': columns(
    'SetID,Number,Variant,Theme,Subtheme,Year,Name,Minifigs,Pieces,UKPrice,USPrice,CAPrice,EUPrice,ImageURL,Owned,Wanted,QtyOwned',
  ),
  rebrickable: columns('Set Number,Quantity,Includes Spares,Inventory Ver'),
  bricklink: columns(
    'BULK,CATEGORY,COLOR,CONDITION,DESCRIPTION,ITEMID,ITEMTYPE,LOTID,PRICE,QTY,REMARKS,STOCKROOM,SUBCONDITION',
  ),
  clz: columns(
    'Age,Core ComicID,Core SeriesID,Country,Crossover,Full Title,Genre,Imprint,Issue,Issue Nr,Language,Publisher,Release Date,Release Year,Series,Series Group,Story Arc,Subtitle,Title,Variant,Cover Price,CovrPrice Value,Custom Label,Date Sold,Grade,Grader Notes,Grading Company,Key,Key Category,Key Reason,Label Type,My Value,Page Quality,Price Sold,Purchase Date,Purchase Price,Purchase Store,Purchase Year,Raw / Slabbed,Signed by,Slab Certification Number,Sold Year,Value,Barcode,Cover Date,Cover Year,Format,No. of Pages,Variant Description',
  ),
  moxfield: columns(
    'Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,Purchase Price',
  ),
  shopify: columns(
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Google Shopping / Google Product Category,Google Shopping / Gender,Google Shopping / Age Group,Google Shopping / MPN,Google Shopping / Condition,Google Shopping / Custom Product,Variant Image,Variant Weight Unit,Variant Tax Code,Cost per item,Included / United States,Price / United States,Compare At Price / United States,Included / International,Price / International,Compare At Price / International,Status',
  ),
  woocommerce: columns(
    'ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Backorders allowed?,Sold individually?,Weight (lbs),Length (in),Width (in),Height (in),Allow customer reviews?,Purchase note,Sale price,Regular price,Categories,Tags,Shipping class,Images,Download limit,Download expiry days,Parent,Grouped products,Upsells,Cross-sells,External URL,Button text,Position,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global,Attribute 2 name,Attribute 2 value(s),Attribute 2 visible,Attribute 2 global,Meta: _wpcom_is_markdown,Download 1 name,Download 1 URL,Download 2 name,Download 2 URL',
  ),
} as const satisfies Record<string, readonly string[]>;
